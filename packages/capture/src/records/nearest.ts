import { distance } from 'fastest-levenshtein';

/** More differences than this are another word, not a typing error. */
const MAX_DIFFERENCES = 2;

/** Returns the name that `word` probably stands for; undefined if none is close. */
export function nearestName(word: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = MAX_DIFFERENCES + 1;
  for (const name of names) {
    if (Math.abs(name.length - word.length) > MAX_DIFFERENCES) continue;
    const differences = distance(word.toLowerCase(), name.toLowerCase());
    // In a short word, two differences leave nothing of it.
    if (differences < least && differences * 2 < name.length) {
      nearest = name;
      least = differences;
    }
  }
  return nearest;
}

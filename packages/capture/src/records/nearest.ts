/** More differences than this are another word, not a typing error. */
const MAX_DIFFERENCES = 2;

/** Returns the name that somebody who wrote `word` probably meant; undefined if none is close. */
export function nearestName(word: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = MAX_DIFFERENCES + 1;
  for (const name of names) {
    if (Math.abs(name.length - word.length) > MAX_DIFFERENCES) continue;
    const differences = differencesBetween(word.toLowerCase(), name.toLowerCase());
    // In a short word, two differences leave nothing of it.
    if (differences < least && differences * 2 < name.length) {
      nearest = name;
      least = differences;
    }
  }
  return nearest;
}

/** How many characters have to be added, removed or replaced to get from one word to the other. */
function differencesBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, n) => n);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}

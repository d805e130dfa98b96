/** How many characters of text are one group of base64, which is four characters. */
const GROUP = 3;

/** The pattern of each group that has been built. The cursors of all feeds share theirs. */
const known = new Map<string, string>();

/**
 * Builds a regular expression that matches the base64url of a text, without padding, and nothing else.
 *
 * A character of base64 depends on up to two characters of the text. So what is allowed at one place depends on its
 * neighbours, but only within a group.
 *
 * @param places the characters that the text may have at each place, all of them ASCII. Few per group may vary: all their
 *   combinations are listed here.
 * @returns the source of the expression, without anchors. It uses nothing but classes, alternatives and repetitions, which
 *   mean the same to every program that reads patterns.
 */
export function base64Pattern(places: readonly string[]): string {
  const groups: { pattern: string; count: number }[] = [];
  for (let start = 0; start < places.length; start += GROUP) {
    const group = places.slice(start, start + GROUP);
    const name = group.join(' ');
    const pattern = known.get(name) ?? patternOfGroup(group);
    known.set(name, pattern);
    const last = groups.at(-1);
    if (last?.pattern === pattern) last.count += 1;
    else groups.push({ pattern, count: 1 });
  }
  return groups.map(({ pattern, count }) => (count === 1 ? pattern : `(?:${pattern}){${count}}`)).join('');
}

/**
 * The first half of a whole group depends on its first two characters, and the second half on its last two. Looking at the
 * halves apart takes a tenth of the time of listing what the group can be, and every start of the API waits for it.
 */
function patternOfGroup(group: readonly string[]): string {
  const [first, second, third] = group;
  if (first === undefined || second === undefined || third === undefined) {
    return patternOf(combinations(group).map(encoded));
  }
  const secondsOf = grouped(combinations([first, second]), (text) => [
    encoded(text).slice(0, 2),
    text.slice(1),
  ]);
  const tailOf = (seconds: string): string =>
    patternOf(combinations([seconds, third]).map((text) => encoded(`-${text}`).slice(2)));
  const tails = new Map<string, string>();
  return alternativesOf(secondsOf, (list) => {
    const seconds = list.join('');
    const tail = tails.get(seconds) ?? tailOf(seconds);
    tails.set(seconds, tail);
    return tail;
  });
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function combinations(places: readonly string[]): string[] {
  return places.reduce<string[]>(
    (texts, characters) => texts.flatMap((text) => Array.from(characters, (character) => text + character)),
    [''],
  );
}

/** A pattern for exactly these texts, which have the same length. Halves that have the same other halves are put together. */
function patternOf(texts: readonly string[]): string {
  const length = texts[0]?.length ?? 0;
  if (length <= 1) return classOf(texts);
  const half = Math.floor(length / 2);
  const tailsOf = grouped(texts, (text) => [text.slice(0, half), text.slice(half)]);
  return alternativesOf(tailsOf, patternOf);
}

/** @param tailsOf what may follow each of the heads. */
function alternativesOf(
  tailsOf: ReadonlyMap<string, string[]>,
  patternOfTails: (tails: readonly string[]) => string,
): string {
  const headsOf = grouped(tailsOf, ([head, tails]) => [patternOfTails(tails), head]);
  const alternatives = Array.from(headsOf, ([tail, heads]) => patternOf(heads) + tail);
  return alternatives.length === 1 ? alternatives.join('') : `(?:${alternatives.join('|')})`;
}

/** A class of characters. A hyphen is first, where it means itself. */
function classOf(characters: readonly string[]): string {
  const sorted = [...new Set(characters)].toSorted();
  return sorted.length === 1 ? sorted.join('') : `[${sorted.join('')}]`;
}

function grouped<T>(items: Iterable<T>, entryOf: (item: T) => [string, string]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const item of items) {
    const [key, value] = entryOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

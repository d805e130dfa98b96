/** What stands where something was erased. */
export const ERASED = '[erased]';

/** What is searched for in texts. */
export interface Needles {
  /** An address. */
  email: string | null;
  /** Full names. Those of one word are not searched for: they would hit too many others. */
  names: readonly string[];
}

/** Finds needles. */
export interface Search {
  /** A regular expression of PostgreSQL that finds at least what `replace` replaces, in text and in JSON. */
  pattern: string;
  /** Replaces what it finds. */
  replace: (text: string) => string;
}

const LEAST_NAME_CHARACTERS = 5;
/** No name of a person is longer, and no person has more of them: without bounds, a name could make the search as large as it likes. */
const MOST_NAME_CHARACTERS = 100;
const MOST_NAMES = 100;
/**
 * Between the words of a name: as in a text, an address, a file name or a URL, and as JSON writes it. Words have none of these
 * characters, so there is one way to read any text: what a hostile name and a hostile text cost stays linear.
 */
const BETWEEN_WORDS = '(?:[\\s\u00a0._+-]|%20|\\\\{0,3}"|\\\\[fnrt]){1,3}';
const NO_WORD = /[\s\u00a0._+%"\\-]+/u;
/** Part of the same word or number. */
const WORD = '\\p{L}\\p{M}\\p{N}';

/**
 * Prepares the search for an address and names: in upper and lower case, an address also percent-encoded, a name also with its words
 * joined as in a file name, and with the last word first.
 *
 * @returns null if there is nothing to search for.
 */
export function searchFor({ email, names }: Needles): Search | null {
  const addresses = email === null ? [] : [forms(email)];
  const words = names.slice(0, MOST_NAMES).flatMap(nameForms);
  const alternatives = [...addresses, ...words];
  if (alternatives.length === 0) return null;
  const exact = [
    // `joann@x.test` and `ann@x.test.au` are addresses of others.
    ...addresses.map((one) => `(?:(?<![${WORD}._+-])|(?<=%[0-9a-fA-F]{2}))${one}(?![${WORD}-]|\\.[${WORD}])`),
    ...words.map((one) => `(?<![${WORD}])${one}(?![${WORD}])`),
  ];
  const find = new RegExp(exact.join('|'), 'gu');
  return { pattern: alternatives.join('|'), replace: (text) => text.replace(find, ERASED) };
}

function nameForms(name: string): string[] {
  if (name.length > MOST_NAME_CHARACTERS) return [];
  // Some systems write the last name first.
  const [before = '', after, ...more] = name.normalize('NFC').split(',');
  const inOrder = after === undefined || more.length > 0 ? name.normalize('NFC') : `${after} ${before}`;
  const words = inOrder
    .trim()
    .split(/\s+/u)
    .map((word) => word.split(NO_WORD).filter(Boolean))
    .filter((parts) => parts.length > 0);
  if (words.length < 2 || words.flat().join('').length < LEAST_NAME_CHARACTERS) return [];
  const [first, ...rest] = words.map((parts) => parts.map(forms).join(BETWEEN_WORDS)) as [
    string,
    ...string[],
  ];
  const last = rest.at(-1)!;
  return [
    [first, ...rest].join(BETWEEN_WORDS),
    `${last},(?:[\\s\u00a0]|%20){0,3}${[first, ...rest.slice(0, -1)].join(BETWEEN_WORDS)}`,
  ];
}

/** A regular expression for a text in upper and lower case, with accents or without: the syntax is that of JavaScript and PostgreSQL. */
function forms(text: string): string {
  return Array.from(text.normalize('NFC'), characterForms).join('');
}

function characterForms(character: string): string {
  const decomposed = character.normalize('NFD');
  if (decomposed !== character) {
    // Many write a name without its accents.
    const [base, ...marks] = Array.from(decomposed, anyCase);
    return `(?:${anyCase(character)}|${base}${marks.map((mark) => `${mark}?`).join('')})`;
  }
  return anyCase(character);
}

function anyCase(character: string): string {
  if (character === '@') return '(?:@|%40)';
  if (character === "'" || character === '’') return "['’]";
  if (character === '+') return '(?:[+]|%2[bB])';
  // Both stand in addresses with quotes. JSON writes a backslash in front of them, and JSON in JSON three.
  if (character === '"') return '\\\\{0,3}"';
  if (character === '\\') return '\\\\{1,4}';
  const cases = [...new Set([character, character.toLowerCase(), character.toUpperCase()])];
  const single = cases.filter((one) => Array.from(one).length === 1);
  if (/[\p{L}\p{M}\p{N}]/u.test(character)) return single.length === 1 ? character : `[${single.join('')}]`;
  return /[\^\]]/u.test(character) ? `\\${character}` : character === '-' ? character : `[${character}]`;
}

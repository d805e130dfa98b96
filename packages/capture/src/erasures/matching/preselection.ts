import { ESCAPES } from './escaped-text.ts';
import { ACCENTS, characterFoldings, foldWord } from './folding.ts';
import type { Matcher } from './matcher.ts';

/** The limit of all words in a pattern together: PostgreSQL compiles a pattern of this size in milliseconds. */
const MAX_PATTERN_CHARACTERS = 1_000;
/** Fewer bytes of a word occur in most texts. A single character of Chinese or Korean has as many. */
const MIN_WORD_BYTES = 3;
/** As much of an address as is rare enough, before and after the `@`. */
const ADDRESS_CHARACTERS = 24;

/**
 * Builds a regular expression of PostgreSQL that finds all texts in which a matcher finds something, and others: it looks for one word
 * of each name. It has no nested repetition, so PostgreSQL takes linear time.
 *
 * @returns null if only the matcher can tell: every text may contain a name.
 */
export function buildPreselection(email: string | null, { names }: Matcher): string | null {
  const words = longestWords(names);
  if (words === null) return null;
  const address = email === null ? [] : [addressPart(email)];
  const patterns = [...address, ...words].map((text) => Array.from(text, characterPattern).join(''));
  // In these, single characters do not show what a text says.
  const { irregular } = characterFoldings();
  return [...ESCAPES, `[${[...irregular].join('')}]`, ...patterns].join('|');
}

/** Returns the longest word of each name, all shortened to fit into a pattern; null if too little of them is left. */
function longestWords(names: Matcher['names']): Set<string> | null {
  const words = new Set(names.map((name) => longest(name.flatMap(regularParts))));
  const most = Math.floor(MAX_PATTERN_CHARACTERS / words.size);
  const shortened = new Set([...words].map((word) => Array.from(word).slice(0, most).join('')));
  return [...shortened].some((word) => Buffer.byteLength(word) < MIN_WORD_BYTES) ? null : shortened;
}

/** Returns the parts of a word whose characters fold by themselves, so that they stand like this in every spelling of the word. */
function regularParts(word: string): string[] {
  const { irregular } = characterFoldings();
  return Array.from(word, (character) =>
    irregular.has(character) || /\p{M}/u.test(character) ? ' ' : character,
  )
    .join('')
    .split(' ');
}

function longest(texts: readonly string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best), '');
}

function addressPart(email: string): string {
  const middle = email.lastIndexOf('@');
  const part = email.slice(Math.max(0, middle - ADDRESS_CHARACTERS), middle + 1 + ADDRESS_CHARACTERS);
  return Array.from(part, (character) => foldWord(character) ?? character).join('');
}

/** A character in all its forms, with any accents after it. */
function characterPattern(character: string): string {
  // Both occur in quoted addresses, and JSON writes a backslash in front of each.
  if (character === '"' || character === '\\') return `\\\\*${character === '"' ? '"' : ''}`;
  if (!/[\p{L}\p{N}]/u.test(character)) return `\\${character}`;
  const forms = [character, ...(characterFoldings().variants.get(character) ?? [])];
  return `[${forms.join('')}][${ACCENTS}]*`;
}

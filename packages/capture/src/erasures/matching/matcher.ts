import { composeAccents, type Reading, readingsOf } from './escaped-text.ts';
import { foldWord, WORD } from './folding.ts';
import { WordAutomaton } from './word-automaton.ts';

/**
 * What stands where something was erased. The function `erase_in_audit_record` (prisma/sql/audit-records.sql) has the same literal,
 * because it must not take a text from its caller.
 */
export const ERASED = '[erased]';

/** What is searched for in texts. */
export interface SearchTerms {
  /** An address in lower case. */
  email: string | null;
  /** Full names, the most important first. */
  names: readonly string[];
}

/** Finds an address and names in texts. The time is linear in the text for any names. */
export interface Matcher {
  /** Returns the pieces of a text that stay, in order. Between two of them was something that it finds. */
  keep: (text: string) => string[];
  /** Replaces what it finds. */
  replace: (text: string) => string;
  /** The words of each name that is searched for, as `foldWord` returns them. */
  names: readonly (readonly string[])[];
  /** How many names are not searched for, because there are too many. */
  namesLeftOut: number;
}

/** Shorter names occur in too many other texts. */
const MIN_NAME_CHARACTERS = 5;
/** The limit of all names of a person together: about 2,000 usual ones. It bounds the size of a matcher. */
export const MAX_NAMES_CHARACTERS = 32_768;

type Range = readonly [start: number, end: number];

/**
 * Prepares the search for an address and names: in upper and lower case, with accents or without, in percent-encoding and in JSON. A
 * name is also found with its words joined as in a file name, and with the last word first. Names of one word are not searched for,
 * because other people have them too.
 *
 * @returns null if there is nothing to search for.
 */
export function buildMatcher({ email, names }: SearchTerms): Matcher | null {
  const sequences: string[][] = [];
  const searched: string[][] = [];
  let characters = 0;
  let namesLeftOut = 0;
  for (const name of new Set(names)) {
    const shown = sequencesOf(name);
    if (shown === null) continue;
    characters += name.length;
    if (characters > MAX_NAMES_CHARACTERS) {
      namesLeftOut += 1;
      continue;
    }
    sequences.push(...shown.sequences);
    searched.push(shown.words);
  }
  if (email === null && searched.length === 0) return null;
  const automaton = new WordAutomaton(sequences);
  const keep = (text: string): string[] => {
    const ranges: Range[] = [];
    for (const reading of readingsOf(text)) {
      const addIn = (shown: Reading) => (start: number, end: number) =>
        ranges.push([shown.origin(start), shown.origin(end)]);
      findNames(reading.text, automaton, addIn(reading));
      if (email === null) continue;
      const composed = composeAccents(reading);
      findAddress(composed.text, email, addIn(composed));
    }
    return piecesOutside(text, ranges);
  };
  return { names: searched, namesLeftOut, keep, replace: (text) => keep(text).join(ERASED) };
}

/** Whether a name is searched for at all. */
export function isSearchable(name: string): boolean {
  return sequencesOf(name) !== null;
}

function piecesOutside(text: string, ranges: readonly Range[]): string[] {
  const pieces: string[] = [];
  let end = 0;
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (from >= end) pieces.push(text.slice(end, from));
    end = Math.max(end, to);
  }
  pieces.push(text.slice(end));
  return pieces;
}

const HAS_WORD = new RegExp(`[${WORD}]`, 'u');
const WORDS = new RegExp(`[${WORD}]+`, 'gu');
/** What can stand between the words of a name in a text, a file name or a URL. */
const SEPARATOR = /^[\s._+'’"\\-]{1,8}$/u;
/** What stands after the last name if it comes first. */
const COMMA = /^\s{0,4},\s{0,4}$/u;
/** Other punctuation that is no longer than this, such as a bracket, can be a part of a name. */
const MAX_PUNCTUATION = 16;

const isWord = (token: string) => !token.startsWith(' ');

/**
 * Reads a text as tokens: folded words, and the punctuation between two of them unless it is a mere separator. A token of punctuation
 * begins with a space. The tokens '' and ' ' stand for words and punctuation that are too long for a name.
 */
function* tokensOf(text: string): Generator<{ token: string; start: number; end: number }> {
  let last: number | null = null;
  for (const { 0: word, index: start } of text.matchAll(WORDS)) {
    if (last !== null) {
      const token = punctuationToken(text, last, start);
      if (token !== null) yield { token, start: last, end: start };
    }
    last = start + word.length;
    yield { token: foldWord(word) ?? '', start, end: last };
  }
}

function punctuationToken(text: string, start: number, end: number): string | null {
  if (end - start > MAX_PUNCTUATION) return ' ';
  const between = text.slice(start, end);
  if (SEPARATOR.test(between)) return null;
  return COMMA.test(between) ? ' ,' : ` ${between.replace(/\s+/gu, ' ')}`;
}

/**
 * Returns the words of a name, and the sequences of tokens by which it is found.
 *
 * @returns null if the name is not searched for.
 */
function sequencesOf(name: string): { words: string[]; sequences: string[][] } | null {
  const parts = name.split(/[\s,]+/u).filter((part) => HAS_WORD.test(part));
  if (parts.length < 2) return null;
  const given = Array.from(tokensOf(name), ({ token }) => token);
  const words = given.filter(isWord);
  const isLongEnough = words.join('').length >= MIN_NAME_CHARACTERS;
  if (!isLongEnough || !/\p{L}/u.test(name) || words.includes('')) return null;
  const sequences = given.includes(' ') ? [] : [given];
  const [before, after, ...more] = name.split(',').map(wordsOf);
  if (after === undefined) {
    // Some systems write the last name first.
    const last = wordsOf(parts.at(-1)!).length;
    sequences.push(words, [...words.slice(-last), ' ,', ...words.slice(0, -last)]);
  } else if (more.length === 0) sequences.push([...after, ...before!]);
  return { words, sequences };
}

function wordsOf(text: string): string[] {
  return Array.from(tokensOf(text), ({ token }) => token).filter(isWord);
}

/** Finds names by their words. */
function findNames(text: string, automaton: WordAutomaton, add: (start: number, end: number) => void): void {
  const starts: number[] = [];
  let state = WordAutomaton.START;
  for (const { token, start, end } of tokensOf(text)) {
    starts.push(start);
    state = automaton.next(state, token);
    const length = automaton.matchLength(state);
    if (length > 0) add(starts.at(-length)!, end);
  }
}

const ADDRESS_BEFORE = new RegExp(`[${WORD}._+-]$`, 'u');
const ADDRESS_AFTER = new RegExp(`^(?:[${WORD}-]|\\.[${WORD}])`, 'u');

/** Finds an address. Each comparison ends at the next `@`, so all of them together take linear time. */
function findAddress(text: string, email: string, add: (start: number, end: number) => void): void {
  const middle = email.lastIndexOf('@');
  const isEqual = (at: number, character: number) => text[at]?.toLowerCase() === email[character];
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const start = at - middle;
    const end = start + email.length;
    let first = middle;
    while (first > 0 && isEqual(start + first - 1, first - 1)) first -= 1;
    if (first > 0) continue;
    let last = middle;
    while (last < email.length && isEqual(start + last, last)) last += 1;
    if (last < email.length) continue;
    // `joann@x.test` and `ann@x.test.au` are addresses of others.
    const isPart =
      ADDRESS_BEFORE.test(text.slice(Math.max(0, start - 2), start)) ||
      ADDRESS_AFTER.test(text.slice(end, end + 3));
    if (!isPart) add(start, end);
  }
}

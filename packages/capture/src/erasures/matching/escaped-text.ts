/** A text as it is, with its escape sequences resolved, or with its accents composed. */
export interface Reading {
  text: string;
  /** Returns the position in the original text of a position in this one. */
  origin: (position: number) => number;
}

/**
 * A character in percent-encoding (UTF-8), or an escape sequence of JSON. All alternatives are of bounded length, so a search takes
 * linear time.
 */
const ESCAPE = new RegExp(
  [
    '%[0-7][\\da-f]',
    '%[cd][\\da-f]%[89ab][\\da-f]',
    '%e[\\da-f](?:%[89ab][\\da-f]){2}',
    '%f[0-7](?:%[89ab][\\da-f]){3}',
    '\\\\(?:u[\\da-f]{4}|[bfnrt"\\\\/])',
  ].join('|'),
  'gi',
);

/** What finds all texts that may have such characters, as part of a regular expression of PostgreSQL. */
export const ESCAPES = ['%[0-9a-fA-F]{2}', '\\\\u[0-9a-fA-F]{4}'];

/**
 * Reads a text in every way in which it can show a name: as it is and, if it contains escape sequences, with these resolved. A part of
 * a URL or of JSON can occur in any text.
 */
export function readingsOf(text: string): Reading[] {
  const plain: Reading = { text, origin: (position) => position };
  const resolved = resolveEscapes(text);
  return resolved === null ? [plain] : [plain, resolved];
}

/** A letter with accents that are characters of their own. More accents than this are no letter, and `normalize` sorts them slowly. */
const DECOMPOSED = /[\p{L}\p{N}]\p{M}{1,8}/gu;

/** Returns a reading in the composed form of Unicode (NFC), in which addresses are stored; the same one if it is composed. */
export function composeAccents({ text, origin }: Reading): Reading {
  if (!/\p{M}/u.test(text)) return { text, origin };
  const parts: string[] = [];
  const origins: number[] = [];
  let end = 0;
  const add = (part: string, position: (unit: number) => number) => {
    parts.push(part);
    for (let unit = 0; unit < part.length; unit += 1) origins.push(position(unit));
  };
  for (const { 0: letter, index } of text.matchAll(DECOMPOSED)) {
    const start = end;
    add(text.slice(start, index), (unit) => start + unit);
    add(letter.normalize('NFC'), () => index);
    end = index + letter.length;
  }
  const rest = end;
  add(text.slice(rest), (unit) => rest + unit);
  origins.push(text.length);
  return { text: parts.join(''), origin: (position) => origin(origins[position]!) };
}

function resolveEscapes(source: string): Reading | null {
  const parts: string[] = [];
  const origins = new Uint32Array(source.length + 1);
  let length = 0;
  let end = 0;
  const copyUntil = (position: number) => {
    parts.push(source.slice(end, position));
    for (let at = end; at < position; at += 1) origins[length++] = at;
  };
  for (const { 0: escape, index } of source.matchAll(ESCAPE)) {
    const character = unescaped(escape);
    if (character === null) continue;
    copyUntil(index);
    parts.push(character);
    for (let unit = 0; unit < character.length; unit += 1) origins[length++] = index;
    end = index + escape.length;
  }
  if (end === 0) return null;
  copyUntil(source.length);
  origins[length] = source.length;
  return { text: parts.join(''), origin: (position) => origins[position]! };
}

function unescaped(escape: string): string | null {
  try {
    return escape.startsWith('%') ? decodeURIComponent(escape) : (JSON.parse(`"${escape}"`) as string);
  } catch {
    // Not UTF-8, or `\N`: JSON is in lower case.
    return null;
  }
}

import type { CustomHeader } from './custom-headers.ts';

/** The mark that stands for a value in a text. */
const MASK = '[hidden]';

/**
 * So many characters in a row of a long value are hidden wherever they are, because receivers also show values that are
 * cut off or broken into lines. Fewer would hide words that a value and an ordinary text have in common.
 */
const CHUNK = 12;
/**
 * A value below this length would be told by the place of its mask: `o[hidden]r` can only be `other`. So if it stands by
 * itself in a text, nothing of the text is shown. Within a longer word or number, nobody can recognise it.
 */
const LEAST_MASKED = 4;
/** Of a value of this length, the beginning is hidden at the end of a text, from `LEAST_MASKED` characters on. */
const LEAST_BROKEN_OFF = 8;
/** A header with more parts is prose. Looking for all of them would take too long, so nothing of the text is shown. */
const MOST_PARTS = 200;
/** How many layers of base64 are looked into: a dump of the request may be one, with the credentials of Basic in it. */
const MOST_LAYERS = 2;
/** Each takes away one layer of escapes, of all kinds at once. */
const MOST_UNESCAPINGS = 4;

/** Base64 in both alphabets. Only long lines are continued by the next one, as in mail. */
const BASE64 = /(?:[\w+/-]{40,}\r?\n)*[\w+/-]{2,}={0,2}/g;
/**
 * What stands for one character: `\u0022`, `\x22`, `%22`, `&#34;`, `&#x22;` and `&quot;`, also if they were escaped again.
 * Any other backslash says only that the next character is one, or ends a line.
 */
const ESCAPE =
  /\\+(?:u00([2-7][\dA-Fa-f])|x([2-7][\dA-Fa-f])|([bfnrt]))?|%(?:25)*([2-7][\dA-Fa-f])|&(?:amp;)*(?:#x0*([2-7][\dA-Fa-f]);|#0*(\d{2,3});|(quot|apos|amp|lt|gt);)/g;
const NAMED: Record<string, string> = { quot: '"', apos: "'", amp: '&', lt: '<', gt: '>' };
const VISIBLE = /^[\t\n\r\x20-\x7e]*$/;

/** A text that was made from another one. */
interface View {
  text: string;
  /** Where each character ends in the other text. It begins there where the one before it ends. */
  ends: readonly number[];
}

/** A place in a text that must not be shown. */
interface Place {
  start: number;
  end: number;
  /** Whether the rest of the text must not be shown either. */
  hidesAll: boolean;
}

/** What is looked for, in the form of `comparable`. */
interface Secrets {
  /** What is masked, by its length. */
  pieces: ReadonlyMap<number, ReadonlySet<string>>;
  /** Values that are too short to be masked. */
  short: readonly RegExp[];
  /** Values that a text may break off in. */
  long: readonly string[];
  shortest: number;
}

/**
 * Hides the values of custom headers in what a receiver has responded: some return the headers of the request, and the
 * beginning of a response is stored and shown to admins.
 *
 * A value is found as it is, in any mix of the escapes of JSON, URLs and HTML, in upper and lower case, and in base64, with
 * or without other text in it. So are its parts, such as the token after `Bearer`, and what they say in base64.
 *
 * @param text the response. It may break off within a value.
 * @param shown how much of the text is wanted, in characters. What follows is only there to recognise values by.
 */
export function maskHeaderValues(
  text: string,
  headers: readonly CustomHeader[],
  shown: number = text.length,
): string {
  const values = headers.map(([, value]) => value);
  const parts = [...new Set(values.flatMap(partsOf))];
  if (parts.length > MOST_PARTS) return MASK;
  const places = placesIn(text, secretsOf(values, parts), MOST_LAYERS).filter(({ start }) => start < shown);
  if (places.some(({ hidesAll }) => hidesAll)) return MASK;
  let masked = '';
  let at = -1;
  for (const { start, end } of places.toSorted((one, other) => one.start - other.start)) {
    if (start > at) masked += text.slice(Math.max(at, 0), start) + MASK;
    at = Math.max(at, end);
  }
  return masked + text.slice(Math.max(at, 0), Math.max(at, shown));
}

/** What is a secret apart from the whole value: its words, what follows their names, and what they say in base64. */
function partsOf(value: string): string[] {
  const words = value.split(/[\s,;]+/);
  // The name of a scheme, such as Bearer, is none.
  const [first = '', ...others] = words;
  const secret = others.length > 0 && /^[a-z]+$/i.test(first) ? others : words;
  const decoded = secret
    .filter((word) => /^[\w+/-]{6,}={0,2}$/.test(word))
    .map(fromBase64)
    .filter((text) => VISIBLE.test(text));
  return [...secret, ...decoded, ...[...secret, ...decoded].map(withoutName)].filter(
    ({ length }) => length >= LEAST_MASKED,
  );
}

/** The second part of `name=value`, `name="value"` or `name:value`; other words as they are. */
function withoutName(word: string): string {
  return word.replace(/^[^:=]*[:=]/, '').replaceAll(/^["']|["']$/g, '');
}

function secretsOf(values: readonly string[], parts: readonly string[]): Secrets {
  const formsOf = (texts: readonly string[]) => [
    ...new Set(
      texts
        .map(viewOf)
        .flatMap((view) => [view, unescaped(view)])
        .map((view) => comparable(view).text)
        .filter((form) => form.trim() !== ''),
    ),
  ];
  const ofValues = formsOf(values);
  const masked = [...ofValues, ...formsOf(parts)].filter(({ length }) => length >= LEAST_MASKED);
  const pieces = new Map<number, Set<string>>();
  for (const form of masked) {
    const length = Math.min(form.length, CHUNK);
    const ofLength = pieces.get(length) ?? new Set();
    for (let at = 0; at + length <= form.length; at += 1) {
      const piece = form.slice(at, at + length);
      // Within a value, others have its spaces, so that those of the text around a part of it stay.
      if (piece === piece.trim() || at === 0 || at + length === form.length) ofLength.add(piece);
    }
    pieces.set(length, ofLength);
  }
  const short = ofValues.filter(({ length }) => length < LEAST_MASKED);
  return {
    pieces,
    short: short.map(
      (form) => new RegExp(`(?<![a-z0-9])${form.replaceAll(/[^a-z0-9]/g, String.raw`\$&`)}(?![a-z0-9])`, 'g'),
    ),
    long: masked.filter(({ length }) => length >= LEAST_BROKEN_OFF),
    shortest: Math.min(...ofValues.map(({ length }) => length), ...pieces.keys()),
  };
}

function placesIn(text: string, secrets: Secrets, layers: number): Place[] {
  const asItIs = viewOf(text);
  const plain = unescaped(asItIs);
  const places = [...new Set([asItIs, plain])].flatMap((view) => placesInView(comparable(view), secrets));
  if (layers === 0) return places;
  for (const { 0: run, index } of plain.text.matchAll(BASE64)) {
    if (run.length < (secrets.shortest * 4) / 3) continue;
    // Where in the run the base64 begins is not known: a path or a name may be in front of it.
    const found = [0, 1, 2, 3].flatMap((skipped) => {
      const decoded = fromBase64(run.slice(skipped));
      return VISIBLE.test(decoded)
        ? placesIn(decoded, secrets, layers - 1)
        : placesIn(decoded, { ...secrets, short: [] }, 0);
    });
    if (found.length > 0)
      places.push(
        placeOf(
          plain,
          index,
          run.length,
          found.some(({ hidesAll }) => hidesAll),
        ),
      );
  }
  return places;
}

function placesInView(view: View, { pieces, short, long }: Secrets): Place[] {
  const { text } = view;
  const places: Place[] = [];
  for (const [length, ofLength] of pieces) {
    for (let at = 0; at + length <= text.length; at += 1) {
      if (ofLength.has(text.slice(at, at + length))) places.push(placeOf(view, at, length, false));
    }
  }
  for (const form of short) {
    for (const { 0: found, index } of text.matchAll(form)) {
      places.push(placeOf(view, index, found.length, true));
    }
  }
  for (const form of long) {
    for (let length = Math.min(form.length, CHUNK) - 1; length >= LEAST_MASKED; length -= 1) {
      if (!text.endsWith(form.slice(0, length))) continue;
      places.push(placeOf(view, text.length - length, length, false));
      break;
    }
  }
  return places;
}

/** The place in the text of a view that some of its characters were made from. */
function placeOf({ ends }: View, at: number, length: number, hidesAll: boolean): Place {
  return { start: ends[at - 1] ?? 0, end: ends[at + length - 1] ?? 0, hidesAll };
}

function viewOf(text: string): View {
  return { text, ends: Array.from({ length: text.length }, (_, at) => at + 1) };
}

/** Takes away every layer of escapes. The view itself if there is none. */
function unescaped(view: View): View {
  let plain = view;
  for (let layer = 0; layer < MOST_UNESCAPINGS; layer += 1) {
    const next = rewrite(plain, ESCAPE, characterOf);
    if (next === plain) break;
    plain = next;
  }
  return plain;
}

/** The character that an escape stands for; none for a mere backslash. */
function characterOf([, json, hex, control, percent, htmlHex, html, name]: RegExpMatchArray): string {
  if (control !== undefined) return ' ';
  if (name !== undefined) return NAMED[name] ?? '';
  if (html !== undefined) return String.fromCodePoint(Number(html));
  const code = json ?? hex ?? percent ?? htmlHex;
  return code === undefined ? '' : String.fromCodePoint(Number.parseInt(code, 16));
}

/** Without what encoders change at will: spaces, for which forms have a plus, and the case of letters. */
function comparable(view: View): View {
  const { text, ends } = rewrite(view, /[\s+]+/g, () => ' ');
  return { text: text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()), ends };
}

/** Replaces all matches. The view itself if there is none. */
function rewrite(view: View, pattern: RegExp, replacementOf: (match: RegExpMatchArray) => string): View {
  let text = '';
  const ends: number[] = [];
  let at = 0;
  const append = (written: string, endOf: (place: number) => number | undefined): void => {
    text += written;
    for (let place = 0; place < written.length; place += 1) ends.push(endOf(place) ?? 0);
  };
  for (const match of view.text.matchAll(pattern)) {
    const from = at;
    append(view.text.slice(from, match.index), (place) => view.ends[from + place]);
    at = match.index + match[0].length;
    append(replacementOf(match), () => view.ends[at - 1]);
  }
  if (at === 0) return view;
  append(view.text.slice(at), (place) => view.ends[at + place]);
  return { text, ends };
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('latin1');
}

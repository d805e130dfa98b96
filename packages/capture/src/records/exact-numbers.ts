/** A number that was read from JSON, and is not the one that was written. */
export interface InexactNumber {
  /** Where it is: names of fields, and positions in lists. */
  path: (string | number)[];
  /** As it was written. */
  written: string;
}

/**
 * Texts without this have no number of more than 15 digits, or with an exponent, outside of strings. All other numbers are exact: a
 * double holds 15 digits.
 */
const SUSPICIOUS = /(?:^|[\s:,[])-?(?:[\d.]{16}|[\d.]+[eE])/;

/** A string, a number, or a character that begins or ends something; blanks, words, and colons are skipped. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[[\]{},]/g;

/** Maximum length of a number in an error. */
const MAX_SHOWN = 40;

/** Numbers further down are in JSON that is refused for its depth, or ignored. */
const MAX_LEVELS = 100;

/** An object or a list around a token: the field or the position that the token belongs to. */
interface Level {
  at: string | number | null;
}

/**
 * Finds the numbers of a JSON text that a double does not hold: `JSON.parse` changes them without a word. It returns them as they
 * are found, so that the caller can stop.
 *
 * @param json valid JSON.
 */
export function* inexactNumbers(json: string): Generator<InexactNumber, void> {
  if (!SUSPICIOUS.test(json)) return;
  const levels: Level[] = [];
  for (const [token] of json.matchAll(TOKENS)) {
    const level = levels.at(-1);
    switch (token[0]) {
      case '{':
        levels.push({ at: null });
        break;
      case '[':
        levels.push({ at: 0 });
        break;
      case '}':
      case ']':
        levels.pop();
        break;
      case ',':
        if (level !== undefined) level.at = typeof level.at === 'number' ? level.at + 1 : null;
        break;
      case '"':
        // The first string of a member of an object is its name.
        if (level?.at === null) level.at = JSON.parse(token) as string;
        break;
      default:
        if (levels.length <= MAX_LEVELS && !isExactNumber(token)) {
          yield { path: levels.map(({ at }) => at ?? ''), written: token };
        }
    }
  }
}

/**
 * Returns whether a double holds a number: the nearest one has the same digits. Integers beyond 2^53 are never exact, because a double
 * that is one stands for its neighbours as well.
 */
export function isExactNumber(written: string): boolean {
  const nearest = Number(written);
  if (/^-?\d+$/.test(written)) return Number.isSafeInteger(nearest);
  return Number.isFinite(nearest) && decimalOf(written) === decimalOf(String(nearest));
}

/** Returns what an error says of a number that is not exact. */
export function inexactNumberMessage(written: string): string {
  const shown = written.length > MAX_SHOWN ? `${written.slice(0, MAX_SHOWN)}…` : written;
  return `Invalid number: ${shown} cannot be kept exactly; send it as a string`;
}

/** Returns the digits of a number without zeros at both ends, and the power of ten of the last one. */
function decimalOf(written: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(written) ?? [];
  const digits = `${whole}${fraction}`;
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start += 1;
  if (start === end) return '0';
  while (digits[end - 1] === '0') end -= 1;
  const power = Number(exponent) - fraction.length + (digits.length - end);
  return `${digits.slice(start, end)}e${power}`;
}

import { invalidCursor, LEAST_MS, START_MS, type TimeCursors, type TimePosition } from './pagination.ts';

/** What capture accepts as an id. */
const MOST_ID_CHARACTERS = 1_024;
/** One character of UTF-8 in hexadecimal digits. NUL is left out: PostgreSQL cannot store it. */
const CHARACTER = [
  '0[1-9a-f]',
  '[1-7][0-9a-f]',
  '(?:c[2-9a-f]|d[0-9a-f])[89ab][0-9a-f]',
  '(?:e0[ab][0-9a-f]|e[1-9a-cef][89ab][0-9a-f]|ed[89][0-9a-f])[89ab][0-9a-f]',
  '(?:f0[9ab]|f[1-3][89ab]|f48)[0-9a-f](?:[89ab][0-9a-f]){2}',
].join('|');

/**
 * The cursors of a feed that is sorted by time and whose ids are texts: the feed, the milliseconds and the id in
 * hexadecimal digits. Unlike base64url, this has a pattern that says exactly what is accepted, whatever the id is.
 */
export function textCursors(feed: string): TimeCursors {
  const write = ({ at, id }: TimePosition): string =>
    `${feed}.${at.getTime()}.${Buffer.from(id).toString('hex')}`;
  const start = write(beforeTexts(new Date(START_MS)));
  const escape = (text: string): string => text.replaceAll('.', '[.]');
  // Milliseconds with 13 digits: from September 2001 to November 2286. Feed clocks give no others.
  const pattern = `^(?:${escape(start)}|${escape(`${feed}.`)}[1-9][0-9]{12}[.](?:${CHARACTER}){1,${MOST_ID_CHARACTERS}})$`;
  const form = new RegExp(pattern);
  return {
    start,
    // A cursor has an id. Whichever it is, the millisecond before is before every row of the time.
    startAt: (time) =>
      time.getTime() > LEAST_MS ? write({ at: new Date(time.getTime() - 1), id: '0' }) : start,
    pattern,
    write,
    read(text) {
      if (!form.test(text)) throw invalidCursor();
      const [, ms, hexadecimal = ''] = text.split('.');
      return { at: new Date(Number(ms)), id: Buffer.from(hexadecimal, 'hex').toString() };
    },
  };
}

/** The position before all rows of a moment, whose ids are texts that are not empty. */
export function beforeTexts(at: Date): TimePosition {
  return { at, id: '' };
}

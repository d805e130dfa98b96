import { text } from './values.ts';

// What a mail system may deliver. Characters beyond ASCII may be anywhere (RFC 6531), but no blanks and controls.

/** All characters that need no quotes. HTML has the same rule: dots may be anywhere. */
const UNQUOTED = String.raw`[^\x00-\x20\x7f-\x9f\s"(),:;<>@\[\\\]]+`;
const QUOTED = String.raw`"(?:[^"\\\x00-\x1f\x7f-\x9f]|\\[\x20-\x7e])*"`;
/** Letters, digits, hyphens and, which some name servers have, underscores. */
const LABEL = String.raw`[^\x00-,./:-@\[-^\x60{-\x9f\s]+`;
/** An IP address in place of a name. */
const LITERAL = String.raw`\[[0-9A-Za-z.:-]+\]`;

const ADDRESS = new RegExp(`^(?:${UNQUOTED}|${QUOTED})@(?:${LABEL}(?:\\.${LABEL})*|${LITERAL})$`);

/**
 * An email address that a person can have. One with characters beyond ASCII is kept in lower case and composed (NFC), so that people are
 * merged by it however it was written.
 */
export const email = text
  .regex(ADDRESS, 'Invalid email address')
  .overwrite((address) => (/[^\0-\x7f]/.test(address) ? address.toLowerCase().normalize('NFC') : address));

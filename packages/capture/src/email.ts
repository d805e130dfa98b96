import { ERASED_DOMAIN } from '@deal-signals/serializers/shown-email';
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
 * An email address that a person can have: no pseudonym of ours. One with characters beyond ASCII is kept in lower case and composed
 * (NFC), because PostgreSQL compares addresses without regard to the case of ASCII letters alone.
 */
export const email = text
  .regex(ADDRESS, 'Invalid email address')
  .overwrite((address) => (/[^\0-\x7f]/.test(address) ? address.toLowerCase().normalize('NFC') : address))
  .refine(
    (address) => !address.toLowerCase().endsWith(ERASED_DOMAIN),
    `Invalid email address: those in ${ERASED_DOMAIN.slice(1)} stand for people who were erased`,
  );

import type { Response } from 'express';
import type { z } from 'zod';

/** Many proxies accept 4 KiB of response headers. Names chosen by the caller get a tenth of that. */
const MAX_NAMES = 10;
const MAX_NAME_CHARACTERS = 40;
const CUT = '...';

/**
 * Sets the header `X-Ignored-Parameters` if a query has parameters that the operation does not have, so that misspelled ones are
 * noticed. The names are percent-encoded, so no character in them can separate names or end the header.
 *
 * @param known the parameters of the operation; undefined if it has none.
 */
export function nameIgnoredParameters(
  response: Response,
  query: Readonly<Record<string, unknown>>,
  known: z.ZodObject | undefined,
): void {
  const names = Object.keys(query).filter((name) => name !== '' && !Object.hasOwn(known?.shape ?? {}, name));
  if (names.length === 0) return;
  const shown = names.slice(0, MAX_NAMES).map(encodeName);
  response.set('X-Ignored-Parameters', [...shown, ...(names.length > MAX_NAMES ? [CUT] : [])].join(', '));
}

/** Percent-encodes a name, cut between two characters if it is too long. */
function encodeName(name: string): string {
  let encoded = '';
  for (const character of name) {
    // A lone surrogate cannot be encoded.
    const next = encodeURIComponent(character.toWellFormed());
    if (encoded.length + next.length > MAX_NAME_CHARACTERS) return `${encoded}${CUT}`;
    encoded += next;
  }
  return encoded;
}

import { createHash, timingSafeEqual } from 'node:crypto';

/** A credential of the capture port. */
export interface CaptureToken {
  /** SHA-256 of the token. */
  hash: Buffer;
  /** The only workspace whose records it may send; null for all. */
  workspaceId: number | null;
}

const MIN_CHARACTERS = 32;
/** The characters that a header can carry, without the comma that separates the tokens. */
const TOKEN = new RegExp(`^[\\x21-\\x2b\\x2d-\\x7e]{${MIN_CHARACTERS},}$`);
const BOUND_TOKEN = /^([1-9]\d{0,9}):(.*)$/;
const MAX_INTEGER = 2_147_483_647;

/**
 * Reads the value of `CAPTURE_TOKENS`: tokens separated by commas. A token with the id of a workspace and a colon before it, such
 * as `1001:token`, is limited to that workspace.
 *
 * @param onInvalid reports what is wrong, without the tokens.
 * @returns null if it has reported something.
 */
export function readTokens(
  variable: string | undefined,
  onInvalid: (message: string) => void,
): CaptureToken[] | null {
  const items = (variable ?? '').split(',').map((item) => item.trim());
  const given = items.filter((item) => item !== '');
  if (given.length === 0) {
    onInvalid('is required when CAPTURE_PORT is set: the tokens that may send records, separated by commas');
    return null;
  }
  const tokens = given.map(readToken);
  if (tokens.includes(null)) {
    onInvalid(
      `each token must be at least ${MIN_CHARACTERS} characters without spaces, with the id of a workspace and a ` +
        'colon before it if it is for that workspace alone',
    );
    return null;
  }
  return tokens.filter((token) => token !== null);
}

function readToken(item: string): CaptureToken | null {
  const [, id, bound = ''] = BOUND_TOKEN.exec(item) ?? [];
  const token = id === undefined ? item : bound;
  const workspaceId = id === undefined ? null : Number(id);
  if (!TOKEN.test(token) || (workspaceId ?? 0) > MAX_INTEGER) return null;
  return { hash: sha256(token), workspaceId };
}

/** Finds a presented token in constant time: neither the token nor the position of its match affects the duration. */
export function findToken(tokens: readonly CaptureToken[], presented: string): CaptureToken | undefined {
  const hash = sha256(presented);
  return tokens.filter((token) => timingSafeEqual(token.hash, hash))[0];
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

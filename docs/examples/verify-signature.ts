import { createHmac, timingSafeEqual } from 'node:crypto';

/** A signature is only good for a while, so that a recorded delivery cannot be replayed for ever. */
const TOLERANCE_SECONDS = 300;

export interface SignedRequest {
  /** The `X-Service-Signature` header: `t=<unix seconds>,v1=<hex HMAC-SHA256>`. */
  header: string | undefined;
  /** The body exactly as it came over the wire. Parsing and printing it again would give other bytes. */
  body: Uint8Array;
  /** Every secret that may have signed it: while a secret is being replaced there are two. */
  secrets: Iterable<string>;
  now: Date;
}

/**
 * Checks that a delivery was signed with one of the secrets and not long ago.
 *
 * @returns what is wrong with the signature, or null when it is good.
 */
export function findSignatureProblem({ header, body, secrets, now }: SignedRequest): string | null {
  const { timestamp, signatures } = parseHeader(header ?? '');
  if (timestamp === null || signatures.length === 0) return 'the signature header is missing or malformed';
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    return `the signature is more than ${TOLERANCE_SECONDS} seconds away from this clock`;
  }
  for (const secret of secrets) {
    const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
    // Comparing in constant time tells nobody how many leading bytes were right.
    if (signatures.some((signature) => timingSafeEqual(signature, expected))) return null;
  }
  return 'the signature matches no known secret';
}

function parseHeader(header: string): { timestamp: string | null; signatures: Buffer[] } {
  let timestamp: string | null = null;
  const signatures: Buffer[] = [];
  for (const part of header.split(',')) {
    const [, name, value = ''] = /^\s*(\w+)=(.*?)\s*$/.exec(part) ?? [];
    if (name === 't' && /^\d{1,12}$/.test(value)) timestamp = value;
    // timingSafeEqual wants equal lengths: a SHA-256 has 64 hexadecimal digits.
    if (name === 'v1' && /^[0-9a-f]{64}$/i.test(value)) signatures.push(Buffer.from(value, 'hex'));
  }
  return { timestamp, signatures };
}

import { createHmac, timingSafeEqual } from 'node:crypto';

/** Refuse older signatures, so that nobody can replay a delivery that they once recorded. */
const TOLERANCE_SECONDS = 300;

export interface SignedRequest {
  /** The `X-Service-Signature` header: `t=<unix seconds>,v1=<hex HMAC-SHA256>`; two `v1` during a rotation. */
  header: string | undefined;
  /** The raw body, byte for byte. A body that was parsed and serialized again has different bytes. */
  body: Uint8Array;
  /** The signing secrets to accept. There are two while you rotate a secret. */
  secrets: Iterable<string>;
  /** The current time; only a test needs to set it. */
  now?: Date;
}

/**
 * Checks that a delivery was signed with one of the secrets, and recently.
 *
 * @returns what is wrong with the signature, or null if it is valid.
 */
export function findSignatureProblem({
  header,
  body,
  secrets,
  now = new Date(),
}: SignedRequest): string | null {
  const { timestamp, signatures } = parseHeader(header ?? '');
  if (timestamp === null || signatures.length === 0) return 'the signature header is missing or malformed';
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    return `the signature is more than ${TOLERANCE_SECONDS} seconds away from this clock`;
  }
  for (const secret of secrets) {
    const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
    // A comparison in constant time does not reveal how many leading bytes were right.
    if (signatures.some((signature) => timingSafeEqual(signature, expected))) return null;
  }
  return 'the signature matches none of the secrets';
}

function parseHeader(header: string): { timestamp: string | null; signatures: Buffer[] } {
  let timestamp: string | null = null;
  const signatures: Buffer[] = [];
  for (const part of header.split(',')) {
    const [, name, value = ''] = /^\s*(\w+)=(.*?)\s*$/.exec(part) ?? [];
    if (name === 't' && /^\d{1,12}$/.test(value)) timestamp = value;
    // timingSafeEqual throws unless both lengths are equal: a SHA-256 has 64 hexadecimal digits.
    if (name === 'v1' && /^[0-9a-f]{64}$/i.test(value)) signatures.push(Buffer.from(value, 'hex'));
  }
  return { timestamp, signatures };
}

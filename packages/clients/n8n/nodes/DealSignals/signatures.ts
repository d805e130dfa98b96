import { createHmac, timingSafeEqual } from 'node:crypto';

/** Older signatures are rejected, so that a recorded delivery cannot be replayed. */
const TOLERANCE_SECONDS = 300;

/**
 * Whether a delivery was signed with a secret within the tolerance. The header is `X-Service-Signature: t=<unix
 * seconds>,v1=<hex>`;
 * the signed text is the time, a period and the body.
 *
 * @param rawBody the body, byte for byte.
 * @param now in milliseconds.
 */
export function isSigned(
  rawBody: Buffer,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  secret: string,
  now: number,
): boolean {
  const parts = String(headers['x-service-signature'] ?? '').split(',');
  const values = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [timestamp = ''] = values('t');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    return false;
  }
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest();
  // There are two values while a secret rotation overlaps.
  return values('v1').some((value) => {
    const signature = Buffer.from(value, 'hex');
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}

import { createHmac } from 'node:crypto';

/**
 * The value of `X-Service-Signature`: `t=<unix seconds>,v1=<hex HMAC-SHA256>`.
 *
 * What is signed is `<t>.<raw body>`, so a receiver can refuse an old request that somebody replays. The key is the text
 * of the whole secret, prefix included, which is what the client libraries of payment providers expect as well.
 *
 * @param secret the endpoint's signing secret, `whsec_...`.
 * @param rawBody the exact text that is sent.
 * @param at the time of the attempt; a retry is signed anew.
 */
export function signatureHeader(secret: string, rawBody: string, at: Date): string {
  const t = Math.floor(at.getTime() / 1000);
  const v1 = createHmac('sha256', secret).update(`${t}.${rawBody}`).digest('hex');
  return `t=${t},v1=${v1}`;
}

import { createHmac } from 'node:crypto';

/**
 * Builds the value of the `X-Service-Signature` header: `t=<unix seconds>,v1=<hex HMAC-SHA256>`.
 *
 * The signed text is `<t>.<raw body>`, so a receiver can refuse an old request that someone replays. The key is the
 * text of the whole secret, including its prefix. Stripe signs its webhooks in the same way, so its client libraries
 * can verify the header.
 *
 * @param secret the endpoint's signing secret, `whsec_...`.
 * @param rawBody the body, exactly as it is sent.
 * @param at the time of the attempt; each retry is signed again.
 */
export function signatureHeader(secret: string, rawBody: string, at: Date): string {
  const t = Math.floor(at.getTime() / 1000);
  const v1 = createHmac('sha256', secret).update(`${t}.${rawBody}`).digest('hex');
  return `t=${t},v1=${v1}`;
}

import { createHmac } from 'node:crypto';

/** What the headers of a delivery are built from. */
export interface SignedDelivery {
  deliveryId: bigint;
  eventId: string;
  eventType: string;
  /** The envelope, exactly as it is sent. */
  body: string;
  secret: string;
  /** The time of the attempt. */
  at: Date;
}

/** Builds the headers of one attempt, including the signature. */
export function deliveryHeaders(delivery: SignedDelivery): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhooks/1.0',
    'X-Service-Event': delivery.eventType,
    'X-Service-Event-Id': delivery.eventId,
    'X-Service-Delivery': String(delivery.deliveryId),
    'X-Service-Signature': signatureHeader(delivery.secret, delivery.body, delivery.at),
  };
}

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

import { createHmac } from 'node:crypto';

/** What the headers of a delivery are built from. */
export interface SignedDelivery {
  deliveryId: bigint;
  eventId: string;
  eventType: string;
  /** The envelope, exactly as it is sent. */
  body: string;
  secret: string;
  /** The secret before the last rotation, while deliveries are signed with both. */
  previousSecret?: string | null;
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
    'X-Service-Signature': signatureHeader(
      delivery.secret,
      delivery.body,
      delivery.at,
      delivery.previousSecret,
    ),
  };
}

/**
 * Builds the value of the `X-Service-Signature` header: `t=<unix seconds>,v1=<hex HMAC-SHA256>`, with a
 * second `v1` while a rotation of the secret overlaps.
 *
 * The signed text is `<t>.<raw body>`, so a receiver can refuse an old request that someone replays. The key is the
 * text of the whole secret, including its prefix. Stripe signs its webhooks in the same way, so its client libraries
 * can verify the header. They accept any of several `v1` values.
 *
 * @param secret the endpoint's signing secret, `whsec_...`.
 * @param rawBody the body, exactly as it is sent.
 * @param at the time of the attempt; each retry is signed again.
 * @param previousSecret the secret before the last rotation, while it is still valid; its signature comes second.
 */
export function signatureHeader(
  secret: string,
  rawBody: string,
  at: Date,
  previousSecret: string | null = null,
): string {
  const t = Math.floor(at.getTime() / 1000);
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  const signatures = secrets.map((key) => createHmac('sha256', key).update(`${t}.${rawBody}`).digest('hex'));
  return [`t=${t}`, ...signatures.map((v1) => `v1=${v1}`)].join(',');
}

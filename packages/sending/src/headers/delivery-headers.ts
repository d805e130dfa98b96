import { createHmac } from 'node:crypto';
import { decodeSecret } from '../secrets/signing-secret.ts';

/** The input for the headers of a delivery. */
export interface SignedDelivery {
  deliveryId: bigint;
  eventId: string;
  eventType: string;
  /** The envelope, exactly as it is sent. */
  body: string;
  secret: string;
  /** The secret before the last rotation, while deliveries are signed with both secrets. */
  previousSecret?: string | null;
  /** The time of the attempt. */
  at: Date;
  /** The trace of the attempt, as returned by `newTraceparent`. */
  traceparent?: string;
}

/** Builds the headers of one attempt, including both signatures. */
export function deliveryHeaders(delivery: SignedDelivery): Record<string, string> {
  const { eventId, body, secret, previousSecret = null } = delivery;
  const timestamp = Math.floor(delivery.at.getTime() / 1000);
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhooks/1.0',
    'X-Service-Event': delivery.eventType,
    'X-Service-Event-Id': eventId,
    'X-Service-Delivery': String(delivery.deliveryId),
    'X-Service-Signature': signatureHeader(secrets, timestamp, body),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standardSignatureHeader(secrets, eventId, timestamp, body),
    ...(delivery.traceparent !== undefined && { traceparent: delivery.traceparent }),
  };
}

/**
 * Builds the value of the `X-Service-Signature` header: `t=<unix seconds>,v1=<hex HMAC-SHA256>`, with a second `v1` during the
 * overlap of a secret rotation.
 *
 * The signed text is `<t>.<raw body>`, so a receiver can reject the replay of an old request. The key is the text of the whole
 * secret, including its prefix. Stripe signs its webhooks in the same way, so its client libraries can verify the header. They
 * accept any of several `v1` values.
 *
 * @param secrets the endpoint's signing secrets, `whsec_...`: the current one and, while it is still valid, the previous one.
 * @param t the time of the attempt in Unix seconds; each retry is signed again.
 * @param rawBody the body, exactly as it is sent.
 */
export function signatureHeader(secrets: readonly string[], t: number, rawBody: string): string {
  const signatures = secrets.map((secret) => hmac(secret, `${t}.${rawBody}`, 'hex'));
  return [`t=${t}`, ...signatures.map((v1) => `v1=${v1}`)].join(',');
}

/**
 * Builds the value of the `webhook-signature` header of the Standard Webhooks specification: `v1,<base64 HMAC-SHA256>`, with a
 * second one after a space during the overlap of a secret rotation.
 *
 * The signed text is `<id>.<timestamp>.<raw body>`. The key is the text after `whsec_`, decoded from base64.
 */
export function standardSignatureHeader(
  secrets: readonly string[],
  id: string,
  timestamp: number,
  rawBody: string,
): string {
  const signed = `${id}.${timestamp}.${rawBody}`;
  return secrets.map((secret) => `v1,${hmac(decodeSecret(secret), signed, 'base64')}`).join(' ');
}

function hmac(key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(text).digest(encoding);
}

import { signatureHeader } from './signature.ts';

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

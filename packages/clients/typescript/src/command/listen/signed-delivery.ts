import { createHash } from 'node:crypto';
import { serviceKey, sign, signedContent, standardKey, toBase64, toHex } from '../../webhooks/signatures.ts';

/** The contents of an event's envelope. */
export interface LocalEvent {
  type: string;
  companyId: number;
  apiVersion: string;
  createdAt: Date;
  /** Identifies the event: the object and its version. */
  identity: string;
  data: object;
}

/** A request to a webhook endpoint. */
export interface SignedDelivery {
  headers: Record<string, string>;
  body: string;
}

/**
 * Builds the envelope of an event, with the fields in the order that the service sends. The id is derived from the identity, so
 * the same event has the same id after a restart of the command.
 */
export function envelopeOf({ type, companyId, apiVersion, createdAt, identity, data }: LocalEvent): {
  id: string;
  body: string;
} {
  const id = hashToUuid(`${companyId} ${type} ${identity}`);
  return {
    id,
    body: JSON.stringify({ id, type, apiVersion, createdAt: createdAt.toISOString(), companyId, data }),
  };
}

/** Signs an attempt to deliver an event with both schemes, as the service does. */
export async function signedDelivery(
  event: { id: string; type: string; body: string },
  deliveryId: number,
  secret: string,
  now: Date,
): Promise<SignedDelivery> {
  const t = String(Math.floor(now.getTime() / 1_000));
  const bytes = new TextEncoder().encode(event.body);
  const service = await sign(await serviceKey(secret), signedContent([t], bytes));
  const key = await standardKey(secret);
  const standard = key && (await sign(key, signedContent([event.id, t], bytes)));
  return {
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Service-Webhooks/1.0',
      'X-Service-Event': event.type,
      'X-Service-Event-Id': event.id,
      'X-Service-Delivery': String(deliveryId),
      'X-Service-Signature': `t=${t},v1=${toHex(service)}`,
      ...(standard && {
        'webhook-id': event.id,
        'webhook-timestamp': t,
        'webhook-signature': `v1,${toBase64(standard)}`,
      }),
    },
    body: event.body,
  };
}

/** Returns a UUID of version 8 (RFC 9562) that is derived from a hash. */
function hashToUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

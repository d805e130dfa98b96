import { createHash } from 'node:crypto';
import { serviceKey, sign, signedContent, standardKey, toBase64, toHex } from '../../webhooks/signatures.ts';

/** An event, as its envelope will carry it. */
export interface LocalEvent {
  type: string;
  companyId: number;
  apiVersion: string;
  createdAt: Date;
  /** What identifies the event: the object, and which of its versions. */
  identity: string;
  data: object;
}

/** A request to a webhook endpoint. */
export interface SignedDelivery {
  headers: Record<string, string>;
  body: string;
}

/**
 * Builds the envelope of an event, in the form and with the order of fields that the service sends. The id is derived from
 * what identifies the event, so a second start of the command gives the same event the same id.
 */
export function envelopeOf({ type, companyId, apiVersion, createdAt, identity, data }: LocalEvent): {
  id: string;
  body: string;
} {
  const id = uuidOf(`${companyId} ${type} ${identity}`);
  return {
    id,
    body: JSON.stringify({ id, type, apiVersion, createdAt: createdAt.toISOString(), companyId, data }),
  };
}

/** Signs an attempt to deliver an event, by both schemes, as the service does. */
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

/** A UUID of version 8 (RFC 9562), made of a hash. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

import { createHmac } from 'node:crypto';

/** A delivery as it arrives. */
export interface Arrival {
  /** The path of the endpoint. */
  path: string;
  eventId: string;
  /** The header `X-Service-Signature`. */
  signature: string;
  chunks: readonly Buffer[];
  /** A time of `monotonicMs`. */
  atMs: number;
}

/** A delivery that has arrived, with the right signature. */
export interface Receipt {
  path: string;
  eventId: string;
  body: string;
  atMs: number;
}

/**
 * Checks the signature of a delivery.
 *
 * @throws Error if the secret has not signed exactly these bytes.
 */
export function verifyArrival({ path, eventId, signature, chunks, atMs }: Arrival, secret: string): Receipt {
  const body = Buffer.concat(chunks).toString();
  const t = /^t=(\d+),/.exec(signature)?.[1] ?? '';
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  if (signature !== `t=${t},v1=${v1}`) throw new Error(`wrong signature of event ${eventId}: ${signature}`);
  return { path, eventId, body, atMs };
}

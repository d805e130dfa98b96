import { createHmac } from 'node:crypto';

/** A delivery as it arrives. */
export interface Arrival {
  /** The path of the endpoint. */
  path: string;
  eventId: string;
  /** The header `X-Service-Signature`. */
  signature: string;
  body: string;
  /** A time of `monotonicMs`. */
  atMs: number;
}

/** A delivery that arrived with a valid signature. */
export type Receipt = Omit<Arrival, 'signature'>;

/**
 * Checks the signature of a delivery.
 *
 * @throws Error unless the secret signed exactly these bytes.
 */
export function verifyArrival({ signature, ...receipt }: Arrival, secret: string): Receipt {
  const t = /^t=(\d+),/.exec(signature)?.[1] ?? '';
  const v1 = createHmac('sha256', secret).update(`${t}.${receipt.body}`).digest('hex');
  if (signature !== `t=${t},v1=${v1}`)
    throw new Error(`wrong signature of event ${receipt.eventId}: ${signature}`);
  return receipt;
}

/**
 * Compares the deliveries that arrived with those that were sent.
 *
 * @param events the deliveries sent, by the id of the event.
 * @throws Error unless each event arrived once, at its path and with its bytes, and nothing else arrived.
 */
export function requireExactly(
  events: ReadonlyMap<string, { path: string; body: string }>,
  receipts: readonly Receipt[],
): void {
  const missing = new Map(events);
  for (const { eventId, path, body } of receipts) {
    const event = missing.get(eventId);
    if (event === undefined) throw new Error(`event ${eventId} arrived twice, or was never sent`);
    if (event.path !== path || event.body !== body)
      throw new Error(`event ${eventId} arrived wrong at ${path}`);
    missing.delete(eventId);
  }
  if (missing.size > 0) throw new Error(`${missing.size} events did not arrive`);
}

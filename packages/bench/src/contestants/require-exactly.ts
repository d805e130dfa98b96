import type { Receipt } from '../loader/receipt.ts';

/**
 * Compares what has arrived with what was sent.
 *
 * @param events what was sent, by the id of the event.
 * @throws Error unless each event has arrived once, at its path and with its bytes, and nothing else.
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
  if (missing.size > 0) throw new Error(`${missing.size} events have not arrived`);
}

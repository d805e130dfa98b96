import type { Arrival } from './watched-receiver.ts';

/** A delivery, for the measurement of the recovery time. */
export interface Captured {
  id: bigint;
  createdAt: Date;
}

/** How long after the end of a fault a consumer still noticed it, in milliseconds. */
export interface Healing {
  /** Time until the receiver got its next request. */
  nextMs: number;
  /** Time until it had also got every delivery that was captured before the fault ended. */
  caughtUpMs: number;
}

/**
 * Measures the recovery time from the end of a fault. A fault without an end, such as the loss of a server or a process,
 * counts from when it happened. With several faults, the longest times count.
 *
 * @param ends when the faults ended.
 * @param deliveries the captured deliveries. Those that the receiver never took do not count.
 * @param arrivals the requests at the receiver, in order of arrival.
 * @returns null if no fault ended, or if nothing arrived after the end of one.
 */
export function findHealing(
  ends: readonly Date[],
  deliveries: readonly Captured[],
  arrivals: readonly Arrival[],
): Healing | null {
  const takenAt = new Map<string, number>();
  for (const { deliveryId, isTaken, request } of arrivals) {
    if (isTaken && !takenAt.has(deliveryId)) takenAt.set(deliveryId, request.receivedAt.getTime());
  }
  const healing: Healing = { nextMs: 0, caughtUpMs: 0 };
  for (const end of ends) {
    const next = arrivals.find(({ request }) => request.receivedAt >= end);
    if (next === undefined) return null;
    const lasts = deliveries
      .filter(({ createdAt }) => createdAt <= end)
      .map(({ id }) => takenAt.get(String(id)) ?? 0);
    const nextAt = next.request.receivedAt.getTime();
    healing.nextMs = Math.max(healing.nextMs, nextAt - end.getTime());
    healing.caughtUpMs = Math.max(healing.caughtUpMs, Math.max(nextAt, ...lasts) - end.getTime());
  }
  return ends.length === 0 ? null : healing;
}

import type { Arrival } from './watched-receiver.ts';

/** A delivery, for the time that it took to heal. */
export interface Captured {
  id: bigint;
  createdAt: Date;
}

/** How long after the end of a fault a consumer still noticed it, in milliseconds. */
export interface Healing {
  /** Until the receiver got its next request. */
  nextMs: number;
  /** Until it had also got every delivery that was captured before that end. */
  caughtUpMs: number;
}

/**
 * Measures the time to heal from the end of a fault. If a fault has no end, such as the loss of a server or a process, the
 * time runs from the fault itself. Of several faults, the longest times count.
 *
 * @param ends when the faults ended.
 * @param deliveries those that were captured; what the receiver has never taken does not count.
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

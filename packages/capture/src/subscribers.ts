import { Prisma } from '@deal-signals/db/generated/client';
import type { EventType } from '@deal-signals/outbox/event-types';
import {
  findSubscribers,
  type Subscriber,
  subscribersOf,
  subscribersTo,
} from '@deal-signals/outbox/record-events';
import type { CaptureTransaction } from './capture-transaction.ts';

/**
 * Runs a statement that writes rows, and reads the endpoints of the workspace with it unless they have been read. So a
 * writer whose webhooks need more than it has at hand knows whether anybody gets them, without a statement for that.
 */
export async function writeWithSubscribers(capture: CaptureTransaction, write: Prisma.Sql): Promise<void> {
  const { tx, companyId } = capture;
  if (capture.subscribers !== undefined) await tx.$executeRaw(write);
  else {
    capture.subscribers = await tx.$queryRaw<
      Subscriber[]
    >`WITH written AS (${write}) ${subscribersOf(companyId)}`;
  }
}

/** Whether any endpoint gets events of a type. Only for use after the endpoints of the workspace have been read. */
export function isSubscribed({ subscribers = [] }: CaptureTransaction, type: EventType): boolean {
  return subscribersTo(type, subscribers).length > 0;
}

/** The endpoints of the workspace; they are read unless they have been. */
export async function requireSubscribers(capture: CaptureTransaction): Promise<readonly Subscriber[]> {
  capture.subscribers ??= await findSubscribers(capture.tx, capture.companyId);
  return capture.subscribers;
}

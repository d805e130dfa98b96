import { serializeEngagementEvent } from '@deal-signals/serializers/engagement/event';
import { jsonOf } from '@deal-signals/serializers/object-text';
import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import { columnsOf, type EngagedRoom, type ShareLink } from '../transaction/engagement.ts';

/** What a record says of an engagement event. */
export interface EventToRecord {
  /** The line of its record. */
  line: number;
  source: 'event' | 'message';
  key: string;
  type: string;
  occurredAt: Date;
  metadata: object;
  docId: string | null;
  room: EngagedRoom;
  /** The share link the event came through; null for a message without one. */
  link: ShareLink | null;
}

/**
 * Records engagement events that are new. The row keeps a copy of what the API shows of the room, the link, its recipient and its
 * recording: an id cursor serves each event once, so later changes would never reach a consumer. Each causes a webhook event.
 */
export function recordEvents(capture: CaptureTransaction, events: readonly EventToRecord[]): void {
  if (events.length === 0) return;
  const firstId = capture.feed.takeIds('engagement_events', events.length);
  for (const [n, { line, room, link, ...event }] of events.entries()) {
    const id = firstId + BigInt(n);
    const row = {
      ...event,
      ...columnsOf(room),
      id,
      identity: link?.identity ?? null,
      actorName: link?.recipientName ?? null,
      actorEmail: link?.recipientEmail ?? null,
      personId: link?.personId ?? null,
      demoId: link?.call?.id ?? null,
      demoTitle: link?.call?.title ?? null,
      distributionId: link?.id ?? null,
      forwardedFromDistributionId: link?.forwardedFromDistributionId ?? null,
    };
    const text = jsonOf(serializeEngagementEvent(row));
    capture.engagement.events.push({ ...row, id: String(id), text });
    const { buyerSpaceId: roomId, demoId: callId, identity } = row;
    capture.effects.push({
      line,
      identity: `engagement ${id}`,
      roomId,
      event: {
        type: 'engagement.recorded',
        objectId: String(id),
        position: id,
        data: text,
        about: { roomId, callId, identity },
      },
    });
  }
}

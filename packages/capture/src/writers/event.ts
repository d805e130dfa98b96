import { serializeEngagementEvent } from '@deal-signals/serializers/engagement/event';
import { jsonOf } from '@deal-signals/serializers/object-text';
import type { CaptureTransaction } from '../capture-transaction.ts';
import type { ShareLink } from '../share-links.ts';

/** An engagement event to be recorded. */
export interface NewEngagementEvent {
  /** The line of its record. */
  line: number;
  source: 'event' | 'message';
  key: string;
  type: string;
  occurredAt: Date;
  metadata: object;
  docId: string | null;
  buyerSpaceId: string;
  /** The share link the event came through; null for a message without one. */
  link: ShareLink | null;
}

/**
 * Inserts engagement events and skips those whose key exists. The row keeps a copy of what the API shows of the link,
 * its recipient and its recording: an id cursor serves each event once, so later changes would never reach a consumer.
 * Each new event causes a webhook event.
 */
export async function recordEngagement(
  capture: CaptureTransaction,
  events: NewEngagementEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const { feed, tx, companyId } = capture;
  const firstId = feed.takeIds('engagement_events', events.length);
  const rows = events.map(({ link, line: _line, ...event }, n) => {
    const row = {
      ...event,
      id: firstId + BigInt(n),
      actorName: link?.recipientName ?? null,
      actorEmail: link?.recipientEmail ?? null,
      demoId: link?.call?.id ?? null,
      demoTitle: link?.call?.title ?? null,
      distributionId: link?.id ?? null,
      forwardedFromDistributionId: link?.forwardedFromDistributionId ?? null,
    };
    return { ...row, id: String(row.id), text: jsonOf(serializeEngagementEvent(row)) };
  });
  // All rows go in one JSON parameter: building a bind parameter per value takes ten times as long as the INSERT.
  const recorded = await tx.$queryRaw<{ id: bigint }[]>`
    INSERT INTO engagement_events AS e
      (company_id, id, source, key, type, occurred_at, actor_name, actor_email, metadata, demo_id, demo_title,
       distribution_id, forwarded_from_distribution_id, buyer_space_id, doc_id, object_text)
    SELECT ${companyId}, id, source, key, type, "occurredAt", "actorName", "actorEmail", metadata, "demoId", "demoTitle",
           "distributionId", "forwardedFromDistributionId", "buyerSpaceId", "docId", text
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n
      (id bigint, source event_source, key text, type text, "occurredAt" timestamptz, "actorName" text, "actorEmail" text,
       metadata json, "demoId" uuid, "demoTitle" text, "distributionId" uuid, "forwardedFromDistributionId" uuid,
       "buyerSpaceId" uuid, "docId" uuid, text text)
    ON CONFLICT (company_id, source, key) DO NOTHING
    RETURNING e.id`;
  for (const { id } of recorded) {
    const n = Number(id - firstId);
    const { source, key, buyerSpaceId, demoId, actorEmail, text } = rows[n]!;
    const identity = `engagement ${id}`;
    // A message is counted as a changed record where it is stored.
    if (source === 'event') capture.changed.push(`event ${key}`);
    capture.effects.push({
      line: events[n]!.line,
      identity,
      roomId: buyerSpaceId,
      event: {
        type: 'engagement.recorded',
        data: text,
        about: { roomId: buyerSpaceId, callId: demoId, email: actorEmail },
      },
    });
  }
}

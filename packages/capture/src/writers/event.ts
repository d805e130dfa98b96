import {
  ENGAGEMENT_EVENT_VERSION,
  engagementEventText,
  storedEngagementEvent,
} from '@deal-signals/serializers/engagement/event';
import type { CaptureTransaction } from '../capture-transaction.ts';
import type { EntryOf } from '../entry.ts';
import { findShareLinks, type ShareLink } from '../share-links.ts';

/** An engagement event to be recorded. */
export interface NewEngagementEvent {
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

/** Records engagement events and skips those already recorded. Each new one causes a webhook event. */
export async function writeEvents(capture: CaptureTransaction, entries: EntryOf<'event'>[]): Promise<void> {
  const links = await findShareLinks(capture, entries);
  await recordEngagement(
    capture,
    entries.flatMap(({ record }) => {
      const link = links.get(record.distributionId);
      if (link === undefined) return [];
      return {
        source: 'event' as const,
        key: record.key,
        type: record.type,
        occurredAt: record.occurredAt,
        metadata: record.metadata ?? {},
        docId: record.docId ?? null,
        buyerSpaceId: link.roomId,
        link,
      };
    }),
  );
}

/**
 * Inserts engagement events and skips those whose key exists. The row keeps a copy of what the API shows of the link,
 * its recipient and its recording: an id cursor serves each event once, so later changes would never reach a consumer.
 */
export async function recordEngagement(
  capture: CaptureTransaction,
  events: NewEngagementEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const { tx, companyId } = capture;
  const rows = events.map(({ link, ...event }) => {
    const row = {
      ...event,
      actorName: link?.recipientName ?? null,
      actorEmail: link?.recipientEmail ?? null,
      demoId: link?.call?.id ?? null,
      demoTitle: link?.call?.title ?? null,
      distributionId: link?.id ?? null,
      forwardedFromDistributionId: link?.forwardedFromDistributionId ?? null,
    };
    return { ...row, text: storedEngagementEvent(row) };
  });
  // All rows go in one JSON parameter: building a bind parameter per value takes ten times as long as the INSERT.
  const recorded = await tx.$queryRaw<{ id: bigint; key: string }[]>`
    INSERT INTO engagement_events AS e
      (company_id, source, key, type, occurred_at, actor_name, actor_email, metadata, demo_id, demo_title,
       distribution_id, forwarded_from_distribution_id, buyer_space_id, doc_id, object_text, object_version)
    SELECT ${companyId}, source, key, type, "occurredAt", "actorName", "actorEmail", metadata, "demoId", "demoTitle",
           "distributionId", "forwardedFromDistributionId", "buyerSpaceId", "docId", text, ${ENGAGEMENT_EVENT_VERSION}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n
      (source event_source, key text, type text, "occurredAt" timestamptz, "actorName" text, "actorEmail" text,
       metadata jsonb, "demoId" uuid, "demoTitle" text, "distributionId" uuid, "forwardedFromDistributionId" uuid,
       "buyerSpaceId" uuid, "docId" uuid, text text)
    ON CONFLICT (company_id, source, key) DO NOTHING
    RETURNING e.id, e.key`;
  const rowOf = new Map(rows.map((row) => [row.key, row]));
  for (const { id, key } of recorded) {
    const { buyerSpaceId, text } = rowOf.get(key)!;
    capture.effects.push({
      identity: `engagement ${id}`,
      roomId: buyerSpaceId,
      event: { type: 'engagement.recorded', data: engagementEventText({ id, text, columns: null }) },
    });
  }
}

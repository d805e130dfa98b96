import type { About } from '@deal-signals/outbox/about';
import { SLOT } from '@deal-signals/serializers/object-text';
import type { Segment } from '@deal-signals/serializers/engagement/played-ranges';
import {
  ENGAGEMENT_VIEW_VERSION,
  engagementViewParts,
  engagementViewText,
} from '@deal-signals/serializers/engagement/view';
import type { CaptureTransaction } from '../capture-transaction.ts';
import type { EntryOf } from '../entry.ts';
import { holdRecords } from '../hold-records.ts';
import { Problems, type Refuse } from '../problems.ts';
import type { RecordOf } from '../record.ts';
import { findShareLinks, type ShareLink } from '../share-links.ts';
import { isSubscribed } from '../subscribers.ts';
import { refuseTimesAhead } from '../times-ahead.ts';

/** A view that was recorded, with what its webhook event is about and, if anybody gets that, the text of its object. */
interface RecordedView extends About {
  id: bigint;
  key: string;
  text: string | null;
}

/**
 * Records finished viewing sessions and skips those already recorded. Each new one causes a webhook event.
 *
 * @param refuse gets the records that contradict stored data; without it, the first of them is thrown.
 */
export async function writeViews(
  capture: CaptureTransaction,
  entries: EntryOf<'view'>[],
  refuse?: Refuse<EntryOf<'view'>>,
): Promise<void> {
  const { feed, tx, companyId } = capture;
  const problems = new Problems();
  refuseTimesAhead(capture, problems, entries, 'startedAt', 'endedAt');
  const { links, unlinked } = await findShareLinks(capture, problems, entries);
  for (const entry of entries) {
    const { docId, distributionId } = entry.record;
    if (docId == null && links.get(distributionId)?.call === null) {
      problems.add(entry, 'docId', 'expected a document, because the distribution has no recording');
    }
  }
  await holdRecords(capture, problems, unlinked);
  const sound = problems.sound(entries, refuse).filter((entry) => !unlinked.includes(entry));
  if (sound.length === 0) return;

  const rows = sound.flatMap(({ record }) => {
    const link = links.get(record.distributionId);
    if (link === undefined) return [];
    const row = {
      startedAt: record.startedAt,
      endedAt: record.endedAt,
      actorName: link.recipientName,
      actorEmail: link.recipientEmail,
      distributionId: link.id,
      forwardedFromDistributionId: link.forwardedFromDistributionId,
      buyerSpaceId: link.roomId,
      ...(record.docId == null
        ? recordingView(record, link.call!)
        : documentView(record.docId, record.seconds ?? 0)),
    };
    return { ...row, key: record.key, parts: engagementViewParts(row) };
  });
  const firstId = feed.takeIds('engagement_views', rows.length);
  const identified = rows.map((row, n) => ({ id: String(firstId + BigInt(n)), ...row }));
  // A text can be large, so it is only read back for somebody who gets it.
  const isPushed = isSubscribed(capture, 'engagement.view.recorded');
  const recorded = await tx.$queryRaw<RecordedView[]>`
    INSERT INTO engagement_views AS v
      (company_id, id, key, kind, started_at, ended_at, actor_name, actor_email, distribution_id,
       forwarded_from_distribution_id, buyer_space_id, demo_id, demo_title, doc_id, watch_seconds, unique_seconds,
       duration_seconds, completion_percent, segments, object_text, object_version)
    SELECT ${companyId}, id, key, kind, "startedAt", "endedAt", "actorName", "actorEmail", "distributionId",
           "forwardedFromDistributionId", "buyerSpaceId", "demoId", "demoTitle", "docId", s.watched, u.ms / 1000,
           "durationSeconds", completion_percent(u.ms, "durationSeconds"), segments,
           parts[1] || ${SLOT} || parts[2] || s.watched || parts[3] || coalesce((u.ms / 1000)::text, 'null')
             || parts[4] || coalesce(completion_percent(u.ms, "durationSeconds")::text, 'null') || parts[5],
           ${ENGAGEMENT_VIEW_VERSION}
    FROM json_to_recordset(${JSON.stringify(identified)}::json) AS n
      (id bigint, key text, kind view_kind, "startedAt" timestamptz, "endedAt" timestamptz, "actorName" text, "actorEmail" text,
       "distributionId" uuid, "forwardedFromDistributionId" uuid, "buyerSpaceId" uuid, "demoId" uuid, "demoTitle" text,
       "docId" uuid, "readSeconds" int, "durationSeconds" int, segments jsonb, parts text[])
    CROSS JOIN LATERAL played(segments) AS p
    CROSS JOIN LATERAL (SELECT CASE kind WHEN 'document' THEN "readSeconds" ELSE (p.watch_ms / 1000)::int END) AS s (watched)
    LEFT JOIN LATERAL distinct_time(p.ranges, "durationSeconds") AS u ON kind = 'trailer'
    ON CONFLICT (company_id, key) DO NOTHING
    RETURNING v.id, v.key, v.buyer_space_id AS "roomId", v.demo_id AS "callId", v.actor_email AS email,
      CASE WHEN ${isPushed} THEN v.object_text END AS text`;
  const lineOf = new Map(entries.map(({ record, line }) => [record.key, line]));
  for (const { id, key, roomId, callId, email, text } of recorded) {
    const identity = `view ${key}`;
    capture.changed.push(identity);
    capture.effects.push({
      line: lineOf.get(key)!,
      identity,
      roomId,
      ...(text !== null && {
        event: {
          type: 'engagement.view.recorded',
          data: engagementViewText({ id, text, columns: null }),
          about: { roomId, callId, email },
        },
      }),
    });
  }
}

function documentView(docId: string, readSeconds: number) {
  return {
    kind: 'document' as const,
    demoId: null,
    demoTitle: null,
    docId,
    readSeconds,
    durationSeconds: null,
    segments: [] as Segment[],
  };
}

function recordingView({ segments }: RecordOf<'view'>, call: NonNullable<ShareLink['call']>) {
  return {
    kind: 'trailer' as const,
    demoId: call.id,
    demoTitle: call.title,
    docId: null,
    readSeconds: null,
    segments: segments ?? [],
    durationSeconds: call.durationSeconds,
  };
}

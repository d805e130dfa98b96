import { SLOT } from '@deal-signals/serializers/object-text';
import { playedSeconds, type Segment } from '@deal-signals/serializers/engagement/played-ranges';
import { ENGAGEMENT_VIEW_VERSION, engagementViewParts } from '@deal-signals/serializers/engagement/view';
import type { CaptureTransaction } from '../capture-transaction.ts';
import type { EntryOf } from '../entry.ts';
import { RecordError } from '../record-error.ts';
import type { RecordOf } from '../record.ts';
import { findShareLinks, type ShareLink } from '../share-links.ts';

/** Records finished viewing sessions and skips those already recorded. */
export async function writeViews(capture: CaptureTransaction, entries: EntryOf<'view'>[]): Promise<void> {
  const { tx, companyId } = capture;
  const links = await findShareLinks(capture, entries);
  const rows = entries.flatMap(({ record, line }) => {
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
        ? recordingView(record, link, line)
        : documentView(record.docId, record.seconds ?? 0)),
    };
    return { ...row, key: record.key, parts: engagementViewParts(row) };
  });
  const recorded = await tx.$queryRaw<{ key: string; roomId: string }[]>`
    INSERT INTO engagement_views AS v
      (company_id, key, kind, started_at, ended_at, actor_name, actor_email, distribution_id,
       forwarded_from_distribution_id, buyer_space_id, demo_id, demo_title, doc_id, watch_seconds, unique_seconds,
       duration_seconds, completion_percent, segments, object_text, object_version)
    SELECT ${companyId}, key, kind, "startedAt", "endedAt", "actorName", "actorEmail", "distributionId",
           "forwardedFromDistributionId", "buyerSpaceId", "demoId", "demoTitle", "docId", "watchSeconds", u.ms / 1000,
           "durationSeconds", completion_percent(u.ms, "durationSeconds"), segments,
           parts[1] || ${SLOT} || parts[2] || coalesce((u.ms / 1000)::text, 'null')
             || parts[3] || coalesce(completion_percent(u.ms, "durationSeconds")::text, 'null') || parts[4],
           ${ENGAGEMENT_VIEW_VERSION}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n
      (key text, kind view_kind, "startedAt" timestamptz, "endedAt" timestamptz, "actorName" text, "actorEmail" text,
       "distributionId" uuid, "forwardedFromDistributionId" uuid, "buyerSpaceId" uuid, "demoId" uuid, "demoTitle" text,
       "docId" uuid, "watchSeconds" int, "durationSeconds" int, segments jsonb, parts text[])
    CROSS JOIN LATERAL played(segments) AS p
    LEFT JOIN LATERAL distinct_time(p.ranges, "durationSeconds") AS u ON kind = 'trailer'
    ON CONFLICT (company_id, key) DO NOTHING
    RETURNING v.key, v.buyer_space_id AS "roomId"`;
  for (const { key, roomId } of recorded) capture.effects.push({ identity: `view ${key}`, roomId });
}

function documentView(docId: string, watchSeconds: number) {
  return {
    kind: 'document' as const,
    demoId: null,
    demoTitle: null,
    docId,
    watchSeconds,
    durationSeconds: null,
    segments: [],
  };
}

function recordingView(record: RecordOf<'view'>, { call }: ShareLink, line: number) {
  if (call === null) {
    throw new RecordError(line, 'docId', 'expected a document, because the distribution has no recording');
  }
  const segments: Segment[] = record.segments ?? [];
  return {
    kind: 'trailer' as const,
    demoId: call.id,
    demoTitle: call.title,
    docId: null,
    segments,
    watchSeconds: playedSeconds(segments),
    durationSeconds: call.durationSeconds,
  };
}

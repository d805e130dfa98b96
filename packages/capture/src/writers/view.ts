import { playedSeconds } from '@deal-signals/serializers/engagement/played-ranges';
import type { CaptureTransaction } from '../capture-transaction.ts';
import type { EntryOf } from '../entry.ts';
import { RecordError } from '../record-error.ts';
import type { RecordOf } from '../record.ts';
import { findShareLinks, requireDocumentsInRoom, type ShareLink } from '../share-links.ts';

/** Records finished viewing sessions and skips those already recorded. */
export async function writeViews(capture: CaptureTransaction, entries: EntryOf<'view'>[]): Promise<void> {
  const { tx, companyId } = capture;
  const links = await findShareLinks(capture, entries);
  await requireDocumentsInRoom(capture, entries, links);
  const rows = entries.flatMap(({ record, line }) => {
    const link = links.get(record.distributionId);
    if (link === undefined) return [];
    return {
      key: record.key,
      startedAt: record.startedAt,
      endedAt: record.endedAt,
      actorName: link.recipientName,
      actorEmail: link.recipientEmail,
      distributionId: link.id,
      forwardedFromDistributionId: link.forwardedFromDistributionId,
      roomId: link.roomId,
      ...(record.docId == null ? recordingView(record, link, line) : documentView(record)),
    };
  });
  const recorded = await tx.$queryRaw<{ key: string; roomId: string }[]>`
    INSERT INTO engagement_views AS v
      (company_id, key, kind, started_at, ended_at, actor_name, actor_email, distribution_id,
       forwarded_from_distribution_id, buyer_space_id, demo_id, demo_title, doc_id, watch_seconds, unique_seconds,
       duration_seconds, completion_percent, segments)
    SELECT ${companyId}, key, kind, "startedAt", "endedAt", "actorName", "actorEmail", "distributionId",
           "forwardedFromDistributionId", "roomId", "demoId", "demoTitle", "docId", "watchSeconds", u.ms / 1000,
           "durationSeconds", completion_percent(u.ms, "durationSeconds"), segments
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n
      (key text, kind view_kind, "startedAt" timestamptz, "endedAt" timestamptz, "actorName" text, "actorEmail" text,
       "distributionId" uuid, "forwardedFromDistributionId" uuid, "roomId" uuid, "demoId" uuid, "demoTitle" text,
       "docId" uuid, "watchSeconds" int, "durationSeconds" int, segments jsonb)
    CROSS JOIN LATERAL played(segments) AS p
    LEFT JOIN LATERAL distinct_time(p.ranges, "durationSeconds") AS u ON kind = 'trailer'
    ON CONFLICT (company_id, key) DO NOTHING
    RETURNING v.key, v.buyer_space_id AS "roomId"`;
  for (const { key, roomId } of recorded) capture.effects.push({ identity: `view ${key}`, roomId });
}

function documentView(record: RecordOf<'view'>) {
  return { kind: 'document', docId: record.docId, watchSeconds: record.seconds ?? 0, segments: [] };
}

function recordingView(record: RecordOf<'view'>, { call }: ShareLink, line: number) {
  if (call === null) {
    throw new RecordError(line, 'docId', 'expected a document, because the distribution has no recording');
  }
  const segments = record.segments ?? [];
  return {
    kind: 'trailer',
    demoId: call.id,
    demoTitle: call.title,
    segments,
    watchSeconds: playedSeconds(segments),
    durationSeconds: call.durationSeconds,
  };
}

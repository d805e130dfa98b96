import type { About } from '@deal-signals/outbox/about';
import { completionPercent, played, type Segment } from '@deal-signals/serializers/engagement/played-ranges';
import { serializeEngagementView } from '@deal-signals/serializers/engagement/view';
import { jsonOf } from '@deal-signals/serializers/object-text';
import type { CaptureTransaction } from '../capture-transaction.ts';
import type { EntryOf } from '../entry.ts';
import { holdRecords } from '../hold-records.ts';
import { Problems, type Refuse } from '../problems.ts';
import type { RecordOf } from '../record.ts';
import { findShareLinks, type ShareLink } from '../share-links.ts';
import { isSubscribed } from '../subscribers.ts';
import { refuseTimesAhead } from '../times-ahead.ts';

/** A view that was recorded, with what its webhook event is about. */
interface RecordedView extends About {
  id: bigint;
  key: string;
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

  const linked = sound.flatMap(({ record }) => {
    const link = links.get(record.distributionId);
    return link === undefined ? [] : [{ record, link }];
  });
  const firstId = feed.takeIds('engagement_views', linked.length);
  const rows = linked.map(({ record, link }, n) => {
    const row = {
      id: firstId + BigInt(n),
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
    return { ...row, id: String(row.id), key: record.key, text: jsonOf(serializeEngagementView(row)) };
  });
  const isPushed = isSubscribed(capture, 'engagement.view.recorded');
  const recorded = await tx.$queryRaw<RecordedView[]>`
    INSERT INTO engagement_views AS v
      (company_id, id, key, kind, started_at, ended_at, actor_name, actor_email, distribution_id,
       forwarded_from_distribution_id, buyer_space_id, demo_id, demo_title, doc_id, watch_seconds, unique_seconds,
       duration_seconds, completion_percent, segments, object_text)
    SELECT ${companyId}, id, key, kind, "startedAt", "endedAt", "actorName", "actorEmail", "distributionId",
           "forwardedFromDistributionId", "buyerSpaceId", "demoId", "demoTitle", "docId", "watchSeconds", "uniqueSeconds",
           "durationSeconds", "completionPercent", segments, text
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n
      (id bigint, key text, kind view_kind, "startedAt" timestamptz, "endedAt" timestamptz, "actorName" text, "actorEmail" text,
       "distributionId" uuid, "forwardedFromDistributionId" uuid, "buyerSpaceId" uuid, "demoId" uuid, "demoTitle" text,
       "docId" uuid, "watchSeconds" int, "uniqueSeconds" int, "durationSeconds" int, "completionPercent" int, segments jsonb,
       text text)
    ON CONFLICT (company_id, key) DO NOTHING
    RETURNING v.id, v.key, v.buyer_space_id AS "roomId", v.demo_id AS "callId", v.actor_email AS email`;
  const lineOf = new Map(entries.map(({ record, line }) => [record.key, line]));
  for (const { id, key, roomId, callId, email } of recorded) {
    const identity = `view ${key}`;
    capture.changed.push(identity);
    capture.effects.push({
      line: lineOf.get(key)!,
      identity,
      roomId,
      ...(isPushed && {
        event: {
          type: 'engagement.view.recorded',
          data: rows[Number(id - firstId)]!.text,
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
    watchSeconds: readSeconds,
    uniqueSeconds: null,
    durationSeconds: null,
    completionPercent: null,
    segments: [] as Segment[],
  };
}

function recordingView({ segments }: RecordOf<'view'>, call: NonNullable<ShareLink['call']>) {
  const { watchMs, distinctMs } = played(segments ?? [], call.durationSeconds);
  return {
    kind: 'trailer' as const,
    demoId: call.id,
    demoTitle: call.title,
    docId: null,
    watchSeconds: Math.floor(watchMs / 1_000),
    uniqueSeconds: Math.floor(distinctMs / 1_000),
    durationSeconds: call.durationSeconds,
    completionPercent: completionPercent(distinctMs, call.durationSeconds),
    segments: segments ?? [],
  };
}

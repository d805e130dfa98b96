import type { Segment } from '@deal-signals/serializers/engagement/played-ranges';
import { serializeEngagementView } from '@deal-signals/serializers/engagement/view';
import { jsonOf } from '@deal-signals/serializers/object-text';
import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import { checkLinks, requireContext, takeNew } from '../transaction/engagement-context.ts';
import { columnsOf, type NewView, type Played, type ShareLink } from '../transaction/engagement.ts';
import type { EntryOf } from '../records/entry.ts';
import { identityOf } from '../records/identity.ts';
import { Problems } from '../records/problems.ts';
import type { RecordOf } from '../records/record.ts';
import { refuseTimesAhead } from './times-ahead.ts';

/** Records finished viewing sessions that are not recorded yet. Each causes a webhook event. */
export async function writeViews(capture: CaptureTransaction, entries: EntryOf<'view'>[]): Promise<void> {
  const context = await requireContext(capture, entries);
  const { links } = context;
  const problems = new Problems();
  refuseTimesAhead(capture, problems, entries, 'startedAt', 'endedAt');
  checkLinks(problems, context, entries);
  for (const entry of entries) {
    const { docId, distributionId } = entry.record;
    if (docId == null && links.get(distributionId)?.call === null) {
      problems.add(entry, 'docId', 'expected a document, because the distribution has no recording');
    }
  }
  const sound = problems.leaveOut(entries, capture.onInvalid);

  const views = takeNew(capture, context, sound);
  const firstId = capture.feed.takeIds('engagement_views', views.length);
  for (const [n, { line, record }] of views.entries()) {
    const id = firstId + BigInt(n);
    const row = viewOf(record, links.get(record.distributionId)!, context.played.get(record));
    const text = jsonOf(serializeEngagementView({ ...row, id }));
    capture.engagement.views.push({ ...row, id: String(id), text });
    const recordIdentity = identityOf(record);
    const { buyerSpaceId: roomId, demoId: callId, identity } = row;
    capture.changed.push(recordIdentity);
    capture.effects.push({
      line,
      identity: recordIdentity,
      roomId,
      event: {
        type: 'engagement.view.recorded',
        objectId: String(id),
        position: id,
        data: text,
        about: { roomId, callId, identity },
      },
    });
  }
}

/** What is stored of a view, with a copy of what the API shows of its room, its link, the recipient and the recording. */
function viewOf(
  record: RecordOf<'view'>,
  link: ShareLink,
  played: Played | undefined,
): Omit<NewView, 'id' | 'text'> {
  return {
    key: record.key,
    startedAt: record.startedAt,
    endedAt: record.endedAt,
    identity: link.identity,
    actorName: link.recipientName,
    actorEmail: link.recipientEmail,
    personId: link.personId,
    distributionId: link.id,
    forwardedFromDistributionId: link.forwardedFromDistributionId,
    ...columnsOf(link.room),
    ...(record.docId == null
      ? recordingView(record, link.call!, played!)
      : documentView(record.docId, record.seconds ?? 0)),
  };
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

function recordingView({ segments }: RecordOf<'view'>, call: NonNullable<ShareLink['call']>, played: Played) {
  return {
    kind: 'trailer' as const,
    demoId: call.id,
    demoTitle: call.title,
    docId: null,
    ...played,
    durationSeconds: call.durationSeconds,
    segments: segments ?? [],
  };
}

import { isDeepStrictEqual } from 'node:util';
import { findCalls, serializeCall } from '@deal-signals/serializers/calls/call';
import { noteWrite, type CaptureTransaction } from '../capture-transaction.ts';
import { referenced, requireKnown, type EntryOf } from '../entry.ts';
import { identityOf } from '../identity.ts';
import { RecordError } from '../record-error.ts';

/** Writes AI summaries. A call's first summary and every changed one cause a webhook event. */
export async function writeCallSummaries(
  capture: CaptureTransaction,
  entries: EntryOf<'callSummary'>[],
): Promise<void> {
  const { tx, companyId, at } = capture;
  const calls = await tx.call.findMany({
    where: { companyId, id: { in: referenced(entries, 'callId') } },
    select: { id: true, status: true, roomId: true, summary: true },
  });
  const byId = new Map(calls.map((call) => [call.id, call]));
  requireKnown(entries, 'callId', byId);

  const generated: string[] = [];
  for (const { record, line } of entries) {
    const call = byId.get(record.callId);
    if (call === undefined) continue;
    noteWrite(capture, identityOf(record), { summary: call.summary }, { summary: record.summary });
    if (isDeepStrictEqual(call.summary, record.summary)) continue;
    if (call.status !== 'completed') {
      throw new RecordError(line, 'callId', `expected a completed call, but its status is ${call.status}`);
    }
    await tx.call.update({
      where: { companyId_id: { companyId, id: call.id } },
      data: { summary: record.summary },
    });
    generated.push(call.id);
  }
  for (const row of await findCalls(tx, companyId, { ids: generated })) {
    capture.effects.push({
      identity: `callSummary ${row.id}`,
      roomId: row.roomId,
      callIds: [row.id],
      event: { type: 'call.summary.created', data: serializeCall({ ...row, updatedAt: at }) },
    });
  }
}

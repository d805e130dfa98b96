import { isDeepStrictEqual } from 'node:util';
import { CALL_VERSION, callText, findCalls, storedCall } from '@deal-signals/serializers/calls/call';
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
    omit: { objectText: true, objectVersion: true },
  });
  const byId = new Map(calls.map((call) => [call.id, call]));
  requireKnown(entries, 'callId', byId);

  const generated: { id: string; summary: object; text: string }[] = [];
  for (const { record, line } of entries) {
    const call = byId.get(record.callId);
    if (call === undefined) continue;
    noteWrite(capture, identityOf(record), { summary: call.summary }, { summary: record.summary });
    if (isDeepStrictEqual(call.summary, record.summary)) continue;
    if (call.status !== 'completed') {
      throw new RecordError(line, 'callId', `expected a completed call, but its status is ${call.status}`);
    }
    const { summary } = record;
    const text = storedCall({ ...call, summary });
    generated.push({ id: call.id, summary, text });
  }
  if (generated.length === 0) return;
  await tx.$executeRaw`
    UPDATE calls SET summary = n.summary, object_text = n.text, object_version = ${CALL_VERSION}
    FROM json_to_recordset(${JSON.stringify(generated)}::json) AS n (id uuid, summary jsonb, text text)
    WHERE calls.company_id = ${companyId} AND calls.id = n.id`;
  for (const row of await findCalls(tx, companyId, { ids: generated.map(({ id }) => id) })) {
    capture.effects.push({
      identity: `callSummary ${row.id}`,
      roomId: row.roomId,
      callIds: [row.id],
      event: { type: 'call.summary.created', data: callText({ ...row, updatedAt: at }) },
    });
  }
}

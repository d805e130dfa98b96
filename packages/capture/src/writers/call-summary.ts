import { isDeepStrictEqual } from 'node:util';
import { storedCall } from '@deal-signals/serializers/calls/call';
import { noteChange, type CaptureTransaction } from '../transaction/capture-transaction.ts';
import type { EntryOf } from '../records/entry.ts';
import { identityOf } from '../records/identity.ts';
import { Problems } from '../records/problems.ts';
import { CALLS } from './call.ts';

/** Writes AI summaries. A call's first summary and every changed one cause a webhook event. */
export async function writeCallSummaries(
  capture: CaptureTransaction,
  entries: EntryOf<'callSummary'>[],
): Promise<void> {
  const { tx, companyId } = capture;
  const calls = await CALLS.find(
    tx,
    companyId,
    entries.map(({ record }) => ({ id: record.callId })),
  );
  const byId = new Map(calls.map((call) => [call.id, call]));
  const problems = new Problems();
  problems.requireKnown(entries, 'callId', byId);

  const generated: { id: string; roomId: string | null; summary: object; text: string }[] = [];
  const lineOf = new Map<string, number>();
  for (const entry of entries) {
    const { record, line } = entry;
    const call = byId.get(record.callId);
    if (call === undefined || isDeepStrictEqual(call.summary, record.summary)) continue;
    if (call.status !== 'completed') {
      problems.add(entry, 'callId', `expected a completed call, but its status is ${call.status}`);
      continue;
    }
    const { summary } = record;
    noteChange(capture, identityOf(record), { summary: call.summary }, { summary });
    generated.push({ id: call.id, roomId: call.roomId, summary, text: storedCall({ ...call, summary }) });
    lineOf.set(call.id, line);
  }
  problems.leaveOut(entries, capture.onInvalid);
  if (generated.length === 0) return;
  await tx.$executeRaw`
    UPDATE calls SET summary = n.summary, object_text = n.text
    FROM json_to_recordset(${JSON.stringify(generated)}::json) AS n (id uuid, summary json, text text)
    WHERE calls.company_id = ${companyId} AND calls.id = n.id`;
  for (const { id, roomId } of generated) {
    capture.effects.push({
      line: lineOf.get(id)!,
      identity: `callSummary ${id}`,
      roomId,
      callIds: [id],
      announces: { type: 'call.summary.created', id },
    });
  }
}

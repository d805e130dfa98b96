import { captureRecord, type CaptureInput } from '@deal-signals/capture/record';
import { describe, expect, test } from '@jest/globals';
import { WORKSPACES } from '../src/quarter/workspaces.ts';
import { storySteps, type StoryStep } from '../src/story/story.ts';

const [workspace] = WORKSPACES;

function take(count: number, run = 'a run'): StoryStep[] {
  let now = Date.parse('2026-11-20T14:30:00Z');
  const story = storySteps({ workspace, run, clock: () => new Date((now += 4000)) });
  return Array.from({ length: count }, () => story.next().value);
}

/** The webhook events of a list of records, none of which was captured before. */
function announced(records: readonly CaptureInput[]): string[] {
  const rooms = new Set<string>();
  return records.flatMap((record) => {
    if (record.record === 'room') {
      const isKnown = rooms.has(record.id);
      rooms.add(record.id);
      return [isKnown ? 'decision_room.updated' : 'decision_room.created'];
    }
    if (record.record === 'call') return ['call.recorded'];
    if (record.record === 'view') return ['engagement.view.recorded'];
    if (record.record === 'event') return ['engagement.recorded'];
    if (record.record === 'callSummary') return ['call.summary.created'];
    if (record.record === 'esign') return ['decision_room.esign.updated'];
    return [];
  });
}

describe('storySteps', () => {
  test('shows all kinds of change within six steps', () => {
    const kinds = announced(take(6).flatMap(({ records }) => records));
    expect([...new Set(kinds)].toSorted()).toEqual([
      'call.recorded',
      'call.summary.created',
      'decision_room.created',
      'decision_room.esign.updated',
      'decision_room.updated',
      'engagement.recorded',
      'engagement.view.recorded',
    ]);
  });

  test('tells a whole sale: forwarded, read, discussed, checked off, signed, won and summarised twice', () => {
    const steps = take(18);
    const records = steps.flatMap((step) => step.records);
    const events = records.flatMap((record) => (record.record === 'event' ? [record.type] : []));
    expect([...new Set(events)].toSorted().join(' ')).toBe(
      'comment doc_download doc_open forward map_checkoff room_visit trailer_complete trailer_view',
    );
    const statuses = records.flatMap((record) => (record.record === 'esign' ? [record.status] : []));
    expect(statuses).toEqual(['sent', 'viewed', 'signed_partial', 'completed']);
    const summaries = records.filter((record) => record.record === 'callSummary');
    expect(summaries).toHaveLength(2);
    expect(summaries[0]?.callId).toBe(summaries[1]?.callId);
    expect(summaries[0]?.summary).not.toEqual(summaries[1]?.summary);
    const rooms = records.filter((record) => record.record === 'room');
    expect(rooms.at(-1)).toMatchObject({ status: 'won', closedAt: expect.any(String) });
    expect(steps.at(-1)?.title).toMatch(/: won$/);
  });

  test('continues with the next sale, and never uses an id or key again', () => {
    const used = new Set<string>();
    for (const steps of [take(54).slice(0, 18), take(54).slice(18, 36), take(18, 'another run')]) {
      const records = steps.flatMap((step) => step.records);
      expect(records.filter(({ record }) => record === 'room').length).toBeGreaterThan(1);
      const ids = new Set(
        records
          .flatMap((record) => ('id' in record ? [record.id] : 'key' in record ? [record.key] : []))
          .map(String),
      );
      expect([...ids].filter((id) => used.has(id))).toEqual([]);
      for (const id of ids) used.add(id);
    }
  });

  test('returns valid records that refer only to earlier ones, or to those of the demo', () => {
    const known = new Set(workspace.sellers.map(({ id }) => String(id)));
    for (const { records } of take(36)) {
      for (const record of records) {
        captureRecord.parse(record);
        const references = Object.entries(record)
          .filter(
            ([name, value]) => /(room|call|distribution|owner|doc)Id$/i.test(name) && value !== undefined,
          )
          .map(([, value]) => String(value));
        expect(references.filter((reference) => !known.has(reference))).toEqual([]);
        if ('id' in record) known.add(String(record.id));
      }
    }
  });

  test('dates each step with the time when it is requested', () => {
    let now = new Date('2026-11-20T14:30:00Z');
    const story = storySteps({ workspace, run: 'a run', clock: () => now });
    story.next();
    now = new Date('2026-11-21T08:00:00Z');
    for (const record of story.next().value.records) {
      expect(record).toMatchObject({ record: 'event', occurredAt: now.toISOString() });
    }
  });
});

import { captureRecord } from '@deal-signals/capture/records/record';
import { describe, expect, test } from '@jest/globals';
import { WORKSPACES } from '../src/quarter/workspaces.ts';
import { storySteps, type StoryStep } from '../src/story/story.ts';

const [workspace] = WORKSPACES;

function take(count: number, run = 'a run'): StoryStep[] {
  let now = Date.parse('2026-11-20T14:30:00Z');
  const story = storySteps({ workspace, run, clock: () => new Date((now += 4000)) });
  return Array.from({ length: count }, () => story.next().value);
}

describe('storySteps', () => {
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
});

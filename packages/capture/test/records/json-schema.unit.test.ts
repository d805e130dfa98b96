import { readFile } from 'node:fs/promises';
import { recordChecker } from '@deal-signals/test-kit/record-checker';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { describe, expect, test } from '@jest/globals';
import { captureJsonSchema } from '../../src/records/json-schema.ts';
import { parseRecord } from '../../src/records/parse-record.ts';
import { everything } from '../records.ts';

const PUBLISHED = new URL('../../../../docs/capture-records.schema.json', import.meta.url);

test('the published JSON Schema is current; if not, run pnpm generate', async () => {
  expect(JSON.parse(await readFile(PUBLISHED, 'utf8'))).toEqual(captureJsonSchema());
});

const isValid = recordChecker(captureJsonSchema());

/** Returns whether capture and the JSON Schema accept a record. */
function acceptedBy(record: object): { capture: boolean; schema: boolean } {
  const value = { companyId: COMPANY, ...record };
  let capture = true;
  try {
    parseRecord(value, 1, { lenient: false });
  } catch {
    capture = false;
  }
  return { capture, schema: isValid(value) };
}

const call = { record: 'call', id: uuid(1) };
const event = { record: 'event', key: 'k', type: 't', occurredAt: '2026-01-01', distributionId: uuid(2) };
const view = {
  record: 'view',
  key: 'k',
  distributionId: uuid(2),
  startedAt: '2026-01-01T10:00Z',
  endedAt: '2026-01-01T10:00:00.5+02:00',
};

describe('the JSON Schema agrees with capture', () => {
  test.each(everything.map((record) => [record.record, record] as const))(
    'on a record: %s',
    (_kind, record) => {
      expect(acceptedBy(record)).toEqual({ capture: true, schema: true });
    },
  );

  test.each<[string, object, boolean]>([
    ['a partial change', call, true],
    ['an upper-case id', { ...call, id: 'ABCDEF00-0000-4000-8000-000000000000' }, true],
    ['an id without an RFC version', { ...call, id: '852E395D-693E-ED11-809A-C971856D9437' }, true],
    ['an offset without a colon', { ...event, occurredAt: '2026-01-01T12:00:00+0000' }, true],
    ['an offset in hours', { ...event, occurredAt: '2026-01-01T12:00:00.5-03' }, true],
    ['an address beyond ASCII', { record: 'erasePerson', email: 'jörg@例子.广告' }, true],
    [
      'metadata of 64 levels',
      { ...event, metadata: JSON.parse('{"a":'.repeat(64) + '1' + '}'.repeat(64)) },
      true,
    ],
    ['null for a field with a default', { ...call, status: null, participants: null }, true],
    ['null in a stored object', { ...call, participants: [{ isHost: null }], talkTime: {} }, true],
    ['free-form metadata', { ...event, metadata: { any: [1, { thing: null }] } }, true],
    ['fractions of a second', { ...view, endedAt: view.startedAt, segments: [[0.25, 1]] }, true],
    ['an unknown field', { ...call, note: 1 }, false],
    ['an unknown field of an inner object', { ...call, talkTime: { total: 1 } }, false],
    ['an unknown kind', { record: 'banana' }, false],
    ['no kind', {}, false],
    ['a wrong id', { ...call, id: '1' }, false],
    ['a wrong choice', { ...call, kind: 'banana' }, false],
    ['no key', { ...event, key: undefined }, false],
    ['a type with a comma', { ...event, type: 'a,b' }, false],
    ['a type that begins with a blank', { ...event, type: ' a' }, false],
    ['a blank title', { ...call, title: ' ' }, false],
    ['no address', { record: 'erasePerson', email: 'jörg' }, false],
    ['two addresses', { record: 'erasePerson', email: 'a@example.com,b@example.com' }, false],
    ['a date with an offset', { ...event, occurredAt: '2026-01-01+0000' }, false],
    ['a date-time without an offset', { ...event, occurredAt: '2026-01-01T00:00' }, false],
    ['a negative second', { ...view, segments: [[-1, 1]] }, false],
    ['a segment of three', { ...view, segments: [[0, 1, 2]] }, false],
    ['a number as text', { ...call, durationSeconds: '1' }, false],
  ])('on %s', (_name, record, accepted) => {
    expect(acceptedBy(record)).toEqual({ capture: accepted, schema: accepted });
  });
});

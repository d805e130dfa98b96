import { expect, test } from '@jest/globals';
import { EVENTS } from '../src/events/events.ts';

test('only events that cannot name a buyer are skipped by erasures', () => {
  const unseen = Object.entries(EVENTS).filter(([, { object }]) => object === null);
  expect(unseen.map(([type]) => type)).toEqual(['webhook.endpoint.disabled', 'integration.ping']);
});

test.each(Object.entries(EVENTS))(
  '%s contains an object with an id where its record says so',
  (_type, record) => {
    const { object, objectField, example } = record;
    const data = example as Record<string, unknown>;
    const shown = objectField === undefined ? data : (data[objectField] as object);
    expect(object === null || 'id' in shown).toBe(true);
  },
);

test.each(Object.entries(EVENTS))(
  '%s has a description with the content of its example',
  (_type, { describe, example }) => {
    expect(describe(example)).toMatch(/^.{10,}$/);
    expect(describe(example)).not.toMatch(/undefined|null|\[object/);
  },
);

test('every event of a workflow has a different title', () => {
  const titles = Object.values(EVENTS).flatMap(({ trigger }) => trigger?.title ?? []);
  expect(new Set(titles).size).toBe(titles.length);
  for (const title of titles) expect(title).toMatch(/^([A-Z][a-z]+ )+[A-Z][a-z]+$/);
});

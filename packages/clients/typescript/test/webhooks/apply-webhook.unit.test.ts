import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openSqliteStore, type SqliteStore } from '../../src/stores/sqlite-store.ts';
import { StoreConflict } from '../../src/stores/store.ts';
import { applyWebhook } from '../../src/webhooks/apply-webhook.ts';
import { event, pageOf, room } from '../stores/pages.ts';
import { APPLY_CASES, caseDelivery, signedDelivery } from './apply-cases.ts';

let store: SqliteStore;

beforeEach(async () => {
  store = await openSqliteStore(':memory:');
});

afterEach(() => store.close());

const rows = (sql: string) => store.database.prepare(sql).all() as Record<string, unknown>[];

describe('of deliveries to a copy in SQLite', () => {
  test.each(APPLY_CASES.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const handled: string[] = [];
    for (const delivery of one.deliveries) {
      const { applied } = await applyWebhook(store, caseDelivery(delivery), ({ id }) => {
        handled.push(id);
      });
      expect(applied).toBe(delivery.applied);
    }
    await store.readCursor('decision-rooms');
    expect(rows('SELECT name FROM decision_rooms').map(({ name }) => name)).toEqual(one.rows);
    expect(handled).toHaveLength(new Set(one.deliveries.map((delivery) => delivery.event)).size);
  });
});

test('stores a contract and an engagement event, and accepts them again from the feed', async () => {
  const contract = { id: 'c1', buyerSpaceId: room('open').id, status: 'sent', updatedAt: '2026-09-01' };
  const data = { buyerSpaceId: contract.buyerSpaceId, document: contract };
  await applyWebhook(store, signedDelivery(1, 'decision_room.esign.updated', data));
  await applyWebhook(store, signedDelivery(2, 'engagement.recorded', event(7)));
  await store.savePage(pageOf(null, event(7), event(8)));
  expect(rows('SELECT id, status FROM esign_documents')).toEqual([
    expect.objectContaining({ id: 'c1', status: 'sent' }),
  ]);
  expect(rows('SELECT id FROM engagement_events')).toHaveLength(2);
});

test('stores a delivery at the next attempt if its handler fails', async () => {
  const delivery = signedDelivery(1, 'decision_room.created', room('open'));
  const failing = applyWebhook(store, delivery, () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(rows('SELECT id FROM decision_rooms')).toEqual([]);
  expect((await applyWebhook(store, delivery)).applied).toBe('written');
});

test('rejects a delivery that is not signed, or is of another workspace', async () => {
  const delivery = signedDelivery(1, 'decision_room.created', room('open'));
  await expect(applyWebhook(store, { ...delivery, secrets: 'whsec_b3RoZXI=' })).rejects.toMatchObject({
    code: 'SIGNATURE_MISMATCH',
  });
  await applyWebhook(store, delivery);
  const other = applyWebhook(store, signedDelivery(2, 'decision_room.updated', room('won'), 2));
  await expect(other).rejects.toThrow(StoreConflict);
  expect(rows('SELECT status FROM decision_rooms')).toEqual([expect.objectContaining({ status: 'open' })]);
});

test('rejects a signed delivery whose object has no id', async () => {
  await expect(applyWebhook(store, signedDelivery(1, 'call.recorded', {}))).rejects.toMatchObject({
    code: 'BODY_INVALID',
  });
});

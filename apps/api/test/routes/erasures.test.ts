import { MAX_OPEN_ERASURES } from '@deal-signals/capture/erasures/begin';
import { finishErasures } from '@deal-signals/capture/erasures/keep-erasing';
import { capture, captureWorkspace, LINK, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

const EMAIL = 'bob@globex.example';
const token = sessionToken({ companyId: COMPANY });

let api: TestApi;
beforeEach(async () => {
  api = await openTestApi();
  await captureWorkspace(api.db);
});
afterEach(() => api.close());

async function preview(body: object): Promise<Record<string, number | boolean>> {
  return (await api.post('/console/api/erasures/preview', token, body).expect(200)).body;
}

/** Returns the counts of a preview. */
const foundBy = (counts: object) =>
  Object.fromEntries(Object.entries(counts).filter(([, found]) => found !== 0));

describe('a preview', () => {
  test('finds an unknown address everywhere it occurs, and nothing for one that occurs nowhere', async () => {
    const { db } = api;
    const unknown = 'nobody@globex.example';
    expect(foundBy(await preview({ email: unknown }))).toEqual({ isComplete: true });

    await addEndpoint(db);
    await capture(db, { record: 'actionItem', id: uuid(70), roomId: ROOM, title: `Ask ${unknown}` });
    await db.$executeRaw`
      INSERT INTO audit_records (company_id, id, at, action, object_type, object_id, details)
      VALUES (${COMPANY}, 1, now(), 'webhook.updated', 'webhook', '1', ${JSON.stringify({ description: unknown })}::jsonb)`;
    await capture(db, {
      record: 'event',
      key: 'e',
      type: 't',
      occurredAt: '2026-09-01',
      distributionId: LINK,
    });
    const [delivery] = await db.delivery.findMany({ orderBy: { id: 'desc' } });
    await db.webhookAttempt.create({
      data: {
        companyId: COMPANY,
        deliveryId: delivery!.id,
        number: 1,
        startedAt: new Date(),
        responseExcerpt: `refused ${unknown}`,
      },
    });
    expect(foundBy(await preview({ email: unknown }))).toEqual({
      actionItems: 1,
      auditRecords: 1,
      responses: 1,
      isComplete: true,
    });
  });

  test('returns the counts of the later erasure, and changes nothing', async () => {
    const { db } = api;
    await capture(db, {
      record: 'event',
      key: 'e',
      type: 't',
      occurredAt: '2026-09-01',
      distributionId: LINK,
    });
    expect(foundBy(await preview({ email: EMAIL.toUpperCase() }))).toEqual({
      people: 1,
      distributions: 1,
      engagementEvents: 1,
      isComplete: true,
    });
    expect(await preview({ buyerSpaceId: ROOM })).toMatchObject({ people: 2, distributions: 2, rooms: 1 });
    const [bob] = await db.person.findMany({ where: { email: EMAIL } });
    expect(await preview({ personId: bob!.id })).toMatchObject({ people: 1, distributions: 1 });
    expect([await db.erasureRun.count(), await db.auditRecord.count()]).toEqual([0, 0]);

    const begun = await api.post('/console/api/erasures', token, { email: EMAIL }).expect(201);
    expect(begun.body.data.people).toBe(1);
    await finishErasures(db);
    expect(foundBy(await preview({ email: EMAIL }))).toEqual({ isComplete: true });
    // An erased person is not counted again.
    expect(await preview({ buyerSpaceId: ROOM })).toMatchObject({ people: 1, distributions: 1 });
  });
});

test('an erasure over the limit gets 429, and another one can start when one is done', async () => {
  const { db } = api;
  for (let n = 0; n < MAX_OPEN_ERASURES; n += 1) {
    await api.post('/console/api/erasures', token, { email: `${n}@globex.example` }).expect(201);
  }
  const refused = await api.post('/console/api/erasures', token, { email: EMAIL }).expect(429);
  expect(refused.body).toEqual({ error: expect.stringContaining('try again when'), code: 'RATE_LIMITED' });
  expect(refused.headers['retry-after']).toBe('10');
  expect(await db.person.count({ where: { email: EMAIL } })).toBe(1);
  // Other errors of a request are still reported.
  await api.post('/console/api/erasures', token, { email: 'ann@acme.example' }).expect(400);
  expect(await db.auditRecord.count({ where: { action: 'erasure.requested' } })).toBe(MAX_OPEN_ERASURES);
  await finishErasures(db);
  await api.post('/console/api/erasures', token, { email: EMAIL }).expect(201);
});

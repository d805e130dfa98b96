import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { addAttempt, addEndpoint, readDelivery } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AttemptResult } from '../src/attempts/outcome.ts';
import { recordOutcome } from '../src/attempts/record-outcomes.ts';

const RULES = { retryScheduleMs: [30_000], maxAttempts: 8, disableAfter: 20, disableMinOutageMs: 0 };
const REFUSED: AttemptResult = {
  kind: 'failed',
  error: 'connection refused',
  revealsPort: true,
  durationMs: 3,
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db, 1);
  await addCompany(database.db, 2);
});
afterAll(() => database.drop());

/** All that an admin can read about one failed attempt. */
async function shown(endpointId: number, companyId = 1, result: AttemptResult = REFUSED): Promise<unknown[]> {
  const attempt = await addAttempt(database.db, endpointId, { companyId });
  await recordOutcome(database.db, RULES, attempt, result);
  const { lastError, attemptLog } = await readDelivery(database.db, attempt.deliveryId);
  const [logged] = attemptLog;
  const endpoint = await database.db.webhookEndpoint.findFirstOrThrow({
    where: { companyId, id: endpointId },
  });
  return [lastError, logged?.error, endpoint.lastError, logged?.durationMs];
}

/** Records the response of a receiver to one attempt. */
async function respond(endpointId: number, status: number, companyId = 1): Promise<void> {
  const attempt = await addAttempt(database.db, endpointId, { companyId });
  const result = { kind: 'responded', status, excerpt: '', durationMs: 5 } as const;
  await recordOutcome(database.db, RULES, attempt, result);
}

const HIDDEN = [...Array(3).fill('no response over TLS'), null];
const OPEN = [...Array(3).fill('connection refused'), 3];

test('the error of a connection is shown once the host and port have responded, with any status', async () => {
  const id = await addEndpoint(database.db, { url: 'https://A.example.com:8443/x' });
  expect(await shown(id)).toEqual(HIDDEN);
  await respond(id, 500);
  expect(await shown(id)).toEqual(OPEN);
});

test('a response of one port does not reveal errors of another port or to another workspace', async () => {
  await respond(await addEndpoint(database.db, { url: 'https://b.example.com/' }), 200);
  const samePort = await addEndpoint(database.db, { url: 'https://B.example.com:443/other' });
  expect(await shown(samePort)).toEqual(OPEN);
  const otherPort = await addEndpoint(database.db, { url: 'https://b.example.com:8443/' });
  expect(await shown(otherPort)).toEqual(HIDDEN);
  const foreign = await addEndpoint(database.db, { companyId: 2, url: 'https://b.example.com/' });
  expect(await shown(foreign, 2)).toEqual(HIDDEN);
});

test('a change of the host hides the error again', async () => {
  const id = await addEndpoint(database.db, { url: 'https://c.example.com/' });
  await respond(id, 200);
  await database.db.webhookEndpoint.updateMany({ where: { id }, data: { url: 'https://d.example.com/' } });
  expect(await shown(id)).toEqual(HIDDEN);
});

test('an error that reveals nothing about a port is shown at once', async () => {
  const id = await addEndpoint(database.db, { url: 'https://e.example.com/' });
  const error = 'certificate not trusted: self-signed certificate';
  expect(await shown(id, 1, { kind: 'failed', error, durationMs: 3 })).toEqual([...Array(3).fill(error), 3]);
});

test('the counts of an endpoint do not include the duration of an attempt with a hidden error', async () => {
  const id = await addEndpoint(database.db, { url: 'https://f.example.com/' });
  await shown(id);
  await shown(id);
  const select = { failed: true, untimed: true, durationMs: true, slowestMs: true };
  const counts = () =>
    database.db.attemptCount.findMany({ where: { endpointId: id, width: 'hour' }, select });
  expect(await counts()).toEqual([{ failed: 2, untimed: 2, durationMs: 0n, slowestMs: 0 }]);
  await respond(id, 500);
  await shown(id);
  expect(await counts()).toEqual([{ failed: 4, untimed: 2, durationMs: 8n, slowestMs: 5 }]);
});

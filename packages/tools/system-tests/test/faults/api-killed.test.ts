import { until } from '@deal-signals/test-kit/until';
import { captureEvents } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { holdEndpoint } from '../../src/faults/breakpoint.ts';
import { endLeases, untilSessionsEnd } from '../../src/faults/leases.ts';
import { balance, inFlightDuring } from '../../src/faults/ledger.ts';
import { type Answer, manage } from '../../src/faults/management.ts';
import { openScene, PATIENT, type Scene } from '../../src/faults/scene.ts';

// A write without a response has happened completely or not at all.

let scene: Scene;
let endpoint: string;
beforeEach(async () => {
  scene = await openScene();
  endpoint = `/webhooks/${scene.endpointId}`;
});
afterEach(() => scene.close());

const keys = (count: number) => Array.from({ length: count }, (_, n) => `event-${n}`);

/** Returns the responses that arrived. A killed process sends none. */
async function answersOf(requests: Promise<Answer>[]): Promise<Answer[]> {
  const settled = await Promise.allSettled(requests);
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

test('SIGKILL of the API while endpoints are registered', async () => {
  const { db } = scene;
  const api = await scene.startApi();
  const answers: Answer[] = [];
  let sent = 0;
  // Each admin registers one endpoint after another until the API is gone, so ten requests are in flight when it is killed.
  const admins = Array.from({ length: 10 }, async () => {
    for (;;) {
      sent += 1;
      const url = `https://127.0.0.1/hook-${sent}`;
      const [answer] = await answersOf([manage(api, 'POST', '/webhooks', { url, events: ['*'] })]);
      if (answer === undefined) return;
      answers.push(answer);
      if (answers.length === 15) await api.kill9();
    }
  });
  await Promise.all(admins);
  await untilSessionsEnd(scene, 'api');
  const confirmed = answers.map(({ status, body }) => {
    expect(status).toBe(201);
    return (body as { data: { id: number } }).data.id;
  });
  expect(confirmed).toHaveLength(sent - admins.length);

  const created = await db.webhookEndpoint.findMany({ where: { id: { not: scene.endpointId } } });
  const audited = await db.auditRecord.findMany({ where: { companyId: COMPANY } });
  const ids = created.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(confirmed));
  const ascending = (a: number, b: number) => a - b;
  expect(audited.map(({ objectId }) => Number(objectId)).toSorted(ascending)).toEqual(
    ids.toSorted(ascending),
  );
});

test('SIGKILL of the API while dead deliveries are retried', async () => {
  const { db } = scene;
  const first = await scene.startApi();
  await captureEvents(db, keys(300));
  await db.$executeRaw`
    WITH moved AS (DELETE FROM pending_deliveries RETURNING *)
    INSERT INTO webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, status, attempts, created_at)
    SELECT company_id, id, endpoint_id, event_id, event_type, 'dead', 8, created_at FROM moved`;
  const count = (status: 'dead' | 'pending') => db.delivery.count({ where: { status } });

  const breakpoint = await holdEndpoint(scene);
  const unanswered = answersOf([manage(first, 'POST', `${endpoint}/retry-dead`)]);
  await breakpoint.untilReached(1, 'api');
  await first.kill9();
  await breakpoint.release();
  expect(await unanswered).toEqual([]);
  await untilSessionsEnd(scene, 'api');
  expect(await count('dead')).toBe(300);

  const second = await scene.startApi();
  const maybeAnswered = answersOf([manage(second, 'POST', `${endpoint}/retry-dead`)]);
  // The request may be over before the test sees it begin.
  let isOver = false;
  void maybeAnswered.then(() => (isOver = true));
  await until('the request to begin', async () => {
    const [session] = await db.$queryRaw<{ isBusy: boolean }[]>`
      SELECT count(*) > 0 AS "isBusy" FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'deal-signals-api'
        AND (state <> 'idle' OR query ~ 'deliveries')`;
    return isOver || session?.isBusy;
  });
  await second.kill9();
  const wasAnswered = (await maybeAnswered).length > 0;
  // Its last statement may still be running.
  await untilSessionsEnd(scene, 'api');
  const retried = await count('pending');
  expect(wasAnswered ? [300] : [0, 300]).toContain(retried);

  const third = await scene.startApi();
  await scene.startWorker();
  const rest = await manage(third, 'POST', `${endpoint}/retry-dead`);
  expect(rest).toEqual({ status: 200, body: { count: 300 - retried, nextCursor: null } });
  const row = await balance(scene, {
    name: 'API killed during POST retry-dead',
    expected: 300,
    allowed: 0,
  });
  expect(row).toMatchObject({ lost: 0, delivered: 300, duplicates: 0, unlogged: 0, exitCodes: [0] });
});

test('SIGKILL of the API during a ping, under load', async () => {
  const { receiver, db } = scene;
  const load = scene.startLoad();
  await scene.startWorker(PATIENT);
  const api = await scene.startApi(PATIENT);
  await receiver.untilArrived(20);
  receiver.answerWith('hold');
  const unanswered = answersOf([manage(api, 'POST', `${endpoint}/ping`)]);
  const isPing = ({ request }: (typeof receiver.arrivals)[number]) =>
    request.headers['x-service-event'] === 'integration.ping';
  await until('the ping', () => receiver.arrivals.some(isPing));
  const inFlight = await inFlightDuring(scene, () => api.kill9());
  scene.faultOver();
  receiver.answerWith({ status: 200 });
  receiver.release();
  expect(await unanswered).toEqual([]);
  await untilSessionsEnd(scene, 'api');
  await endLeases(scene, { eventType: 'integration.ping' });
  const captured = await load.stop();
  const row = await balance(scene, {
    name: 'API killed during POST ping',
    expected: captured + 1,
    allowed: inFlight,
  });
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, duplicates: 1, unlogged: 1, exitCodes: [0] });
  const ping = await db.webhookDelivery.findFirstOrThrow({ where: { eventType: 'integration.ping' } });
  expect(ping).toMatchObject({ status: 'delivered', attempts: 1 });
});

import type { Database } from '@deal-signals/db/database';
import {
  describeInBrowser,
  openBrowser,
  type TestBrowser,
  type TestPage,
} from '@deal-signals/test-kit/browser/open';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { parseScrape } from '@deal-signals/test-kit/prometheus-text';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { capture, captureEvents, captureWorkspace, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { addDelivery, addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { adminToken, request } from '../published-api.ts';
import { faultsOf } from './page-faults.ts';

// How the console shows endpoints that are rate-limited, failing or disabled, and a server that is not ready.

/** More than the alert for late deliveries allows. */
const WAITED_SECONDS = 400;

let database: TestDatabase;
let db: Database;
let api: RunningApp;
let worker: RunningApp;
let receiver: Receiver;
let browser: TestBrowser;
let limited: number;
let failing: number;
let disabled: number;

async function open(path: string, session = adminToken()): Promise<TestPage> {
  const opened = await browser.newPage();
  await opened.page.goto(`${api.url}/console/${path}#session=${session}`);
  return opened;
}

/** Waits for a text, and checks the page that shows it for faults. */
async function expectText(opened: TestPage, text: string | RegExp, picture: string): Promise<void> {
  await opened.page.getByText(text).first().waitFor();
  expect(await faultsOf(opened.page, `states-${picture}`)).toEqual([]);
}

async function scrape(): Promise<ReadonlyMap<string, number>> {
  const port = /"message":"worker ready","port":(\d+)/.exec(worker.output())?.[1];
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  return parseScrape(await response.text()).values;
}

describeInBrowser('the states of endpoints in the console', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    ({ db } = database);
    await captureWorkspace(db);
    receiver = await startReceiver();
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: await createTestRedis(),
      DISPATCH_TICK_MS: '200',
      WEBHOOK_MAX_ATTEMPTS: '1',
      // Lets links start sessions.
      NODE_ENV: 'development',
      WEBHOOK_SOURCE_ADDRESSES: '192.0.2.16/28,2001:db8:17::/64',
      WEBHOOK_PLANNED_SOURCE_ADDRESSES: '198.51.100.0/28',
      WEBHOOK_PLANNED_SOURCE_FROM: '2027-02-01',
    };
    [api, worker, browser] = await Promise.all([
      startApp('api', env),
      startApp('worker', env),
      openBrowser(),
    ]);
    limited = await addEndpoint(db, {
      url: receiver.url,
      events: ['engagement.recorded'],
      description: 'Spreadsheet',
      rateLimit: { create: { maxPerMinute: 1 } },
    });
    const quiet = {
      events: ['call.recorded'],
      lastError: 'receiver responded with 503',
      lastErrorAt: new Date(),
    };
    failing = await addEndpoint(db, {
      ...quiet,
      url: 'https://127.0.0.1:1/failing',
      consecutiveFailures: 5,
      failingSince: new Date(Date.now() - 3_600_000),
    });
    disabled = await addEndpoint(db, {
      ...quiet,
      url: 'https://127.0.0.1:1/disabled',
      enabled: false,
      disabledReason: '20 consecutive failed attempts',
      consecutiveFailures: 20,
    });
    await addDelivery(db, disabled, { nextAttemptAt: null, ready: false });
  });

  afterAll(async () => {
    await browser.close();
    await worker.stop();
    await receiver.close();
    await database.drop();
  });

  test('the list of endpoints shows the source addresses of deliveries, now and after a planned change', async () => {
    const opened = await open('endpoints');
    await expectText(opened, 'Deliveries come from 192.0.2.16/28, 2001:db8:17::/64', 'sources');
    await opened.page.getByText('From 2027-02-01 on they may come from 198.51.100.0/28').waitFor();
  });

  test('90 events for an endpoint with a limit of one per minute cause no lateness and no additional worker, and every page names the limit', async () => {
    await captureEvents(
      db,
      Array.from({ length: 90 }, (_, n) => `event ${n}`),
    );
    // The delivery that the limit allows. Until its outcome is recorded, it counts as claimed.
    await until('the first delivery has ended', () =>
      db.webhookDelivery.findFirst({ where: { endpointId: limited } }),
    );
    await db.$executeRaw`
      UPDATE pending_deliveries SET next_attempt_at = next_attempt_at - ${WAITED_SECONDS}::int * interval '1 second'
      WHERE endpoint_id = ${limited}`;
    // The gauges are cached for five seconds.
    const values = await until('the deliveries that wait for the limit', async () => {
      const found = await scrape();
      return (found.get('deal_signals_rate_limited_deliveries') ?? 0) >= 85 && found;
    });
    expect(
      Object.fromEntries([...values].filter(([name]) => /_(due|claimed)_deliveries$|due_age/.test(name))),
    ).toEqual({
      deal_signals_due_deliveries: 0,
      deal_signals_oldest_due_age_seconds: 0,
      deal_signals_claimed_deliveries: 0,
    });
    expect(values.get('deal_signals_attempt_wait_seconds_count')).toBe(0);
    expect(values.get('deal_signals_delivery_duration_seconds_count{attempt="first"}')).toBe(0);

    const sentence = /^Limited to 1 a minute: 8\d deliveries wait, about 1 h 2\d min\.$/;
    const { body } = await request(`${api.url}/console/api/overview`, adminToken());
    expect(body.oldestDue).toBe(null);
    const kinds = body.attention.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toContain('deliveries_rate_limited');
    expect(kinds).not.toContain('deliveries_overdue');
    await expectText(await open(''), sentence, 'overview');
    await expectText(await open('endpoints'), sentence, 'endpoints');
    await expectText(await open(`endpoints/${limited}`), sentence, 'limited');
    const why = await open(`why?buyer_space_id=${ROOM}`);
    await expectText(
      why,
      /^8\d deliveries wait for the rate limit of the endpoint: it is limited to 1 a minute, about 1 h 2\d min\.$/,
      'why-limited',
    );
    const log = await open('deliveries');
    await expectText(log, 'due', 'deliveries');
    await log.page.getByRole('rowheader').getByRole('link').nth(5).click();
    await expectText(log, /the endpoint is limited to 1 a minute/, 'delivery');
  }, 240_000);

  test('a failing endpoint shows how many failures are left, and a disabled one what failed', async () => {
    const left = /15 more failures in a row disable it/i;
    const cause = /The last failure: receiver responded with 503\./;
    await expectText(await open(`endpoints/${failing}`), left, 'failing');
    await expectText(await open(`endpoints/${disabled}`), cause, 'disabled');
    const overview = await open('');
    await overview.page.getByText(left).first().waitFor();
    await overview.page.getByText(cause).first().waitFor();
  });

  test('the endpoint that missed an event comes first', async () => {
    const last = await addEndpoint(db, {
      url: 'https://127.0.0.1:1/last',
      events: ['decision_room.updated'],
    });
    await capture(db, { record: 'room', id: ROOM, name: 'Globex', ownerId: 7, dealValueCents: 5 });
    await until('the dead letter', () =>
      db.webhookDelivery.findFirst({ where: { endpointId: last, status: 'dead' } }),
    );
    const { body } = await request(`${api.url}/console/api/why?buyer_space_id=${ROOM}`, adminToken());
    expect(body.data.endpoints[0].endpoint.id).toBe(last);
    expect(body.data.endpoints[0].verdicts[0].code).toBe('dead');
    const why = await open(`why?buyer_space_id=${ROOM}`);
    await expectText(why, /given up after 1 attempt/, 'why-dead');
    await db.webhookEndpoint.update({
      where: { companyId_id: { companyId: COMPANY, id: last } },
      data: { removedAt: new Date(), enabled: false },
    });
  });

  test('the audit log names tested URLs and enabled endpoints', async () => {
    const url = `${api.url}/api/v1/webhooks`;
    await request(`${url}/test`, adminToken(), { method: 'POST', body: { url: receiver.url } });
    await request(`${url}/${failing}`, adminToken(), { method: 'PATCH', body: { enabled: false } });
    await request(`${url}/${failing}`, adminToken(), { method: 'PATCH', body: { enabled: true } });
    const audit = await open('audit-log');
    await expectText(audit, 'Enabled an endpoint', 'audit');
    const rows = audit.page.getByRole('row');
    await rows.filter({ hasText: 'Disabled an endpoint' }).first().waitFor();
    expect(await rows.filter({ hasText: 'Tested a URL' }).innerText()).toContain(new URL(receiver.url).host);
    expect(await audit.page.getByText('Endpoint 0').count()).toBe(0);
  });

  test('rooms are sorted by a time that the list shows', async () => {
    const { page } = await open('rooms');
    await page.getByRole('columnheader', { name: 'Last change' }).waitFor();
    expect(await faultsOf(page, 'states-rooms')).toEqual([]);
  });

  test('a first load that gets a 503 shows the reason, and continues by itself', async () => {
    const opened = await browser.newPage();
    let isDown = true;
    await opened.page.route('**/console/api/session', (route) =>
      isDown
        ? route.fulfill({
            status: 503,
            headers: { 'content-type': 'application/json', 'retry-after': '4' },
            body: JSON.stringify({ code: 'SERVICE_UNAVAILABLE', error: 'the database is not available' }),
          })
        : route.continue(),
    );
    await opened.page.goto(`${api.url}/console/#session=${adminToken()}`);
    await opened.page
      .getByText('The database is not available. The console tries again automatically.')
      .waitFor();
    expect(await faultsOf(opened.page, 'states-unavailable')).toEqual([]);
    isDown = false;
    await opened.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  test('a link with an invalid token is reported as invalid', async () => {
    await expectText(await open('', 'garbage'), 'This link is not valid', 'broken-link');
    expect(await (await open('', 'garbage')).page.getByText('You are not logged in').count()).toBe(0);
  });

  test('the search offers each further action once', async () => {
    await capture(db, { record: 'room', id: uuid(77), name: 'Globex North', ownerId: 7 });
    const { page } = await open('');
    await page.getByRole('combobox', { name: 'Search' }).click();
    await page.keyboard.type('globex');
    await page
      .getByRole('option', { name: /Globex North/ })
      .first()
      .waitFor();
    expect(await page.getByRole('option', { name: /^Why didn't it arrive/ }).count()).toBe(1);
    expect(await page.getByRole('option', { name: /^What was sent/ }).count()).toBe(1);
    expect(await faultsOf(page, 'states-search')).toEqual(
      // The list of suggestions is outside of the landmarks, like Mantine's own.
      expect.not.arrayContaining([expect.not.stringContaining('region:')]),
    );
  });

  test('a rotated secret can be tested at once', async () => {
    const { page } = await open(`endpoints/${limited}`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Rotate the signing secret' }).click();
    await page.getByRole('button', { name: 'Rotate the secret', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send a test event' }).click();
    await dialog.getByText('The test event was accepted: status 200').waitFor();
    expect(await faultsOf(page, 'states-rotated')).toEqual([]);
  });
});

import type { Database } from '@deal-signals/db/database';
import { signSessionToken } from '@deal-signals/local-stack/demo/sign-session-token';
import {
  describeInBrowser,
  openBrowser,
  type TestBrowser,
  type TestPage,
} from '@deal-signals/test-kit/browser/open';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp, TEST_SECRETS } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { capture, captureWorkspace, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { addDeliveries, addEndpoint, DEAD, DELIVERED } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { until } from '@deal-signals/test-kit/until';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { faultsOf } from './page-faults.ts';

const DAY_MS = 86_400_000;
const SENT = { ...DELIVERED, eventType: 'decision_room.updated' } as const;

let database: TestDatabase;
let db: Database;
let api: RunningApp;
let browser: TestBrowser;
/** The receiver of the CRM, which fails at first. */
let crm: Receiver;
/** A receiver that has been down for days, and now accepts everything. */
let lake: Receiver;
let lakeId: number;
/** An endpoint with a long log, and the deliveries in it. */
let archiveId: number;
let older: bigint[];

const token = () =>
  signSessionToken(
    { userId: 7, companyId: COMPANY, permissions: ['integrations.crm'], ttlSeconds: 600 },
    TEST_SECRETS.SESSION_JWT_SECRET,
  );

async function open(path: string, options?: Parameters<TestBrowser['newPage']>[0]): Promise<TestPage> {
  const opened = await browser.newPage(options);
  await opened.page.goto(`${api.url}/console${path}#session=${token()}`);
  return opened;
}

/** Changes the room, which causes one event. */
const changeRoom = (dealValueCents: number) =>
  capture(db, { record: 'room', id: ROOM, name: 'Globex', ownerId: 7, dealValueCents });

const rowLinks = (page: TestPage['page']) =>
  page.getByRole('table', { name: 'Deliveries' }).getByRole('rowheader').getByRole('link');

/** Returns the ids of the deliveries in the log, from top to bottom. */
async function idsOf(page: TestPage['page']): Promise<bigint[]> {
  const addresses = await rowLinks(page).evaluateAll((links) =>
    links.map((link) => link.getAttribute('href')),
  );
  return addresses.map((address) => BigInt(address!.replace(/.*\//, '')));
}

/** Expects what must be true of every page. */
function expectQuiet({ errors, requestsOutside }: TestPage): void {
  expect(errors).toEqual([]);
  expect(requestsOutside(api.url)).toEqual([]);
}

describeInBrowser('deliveries in the console', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    db = database.db;
    await captureWorkspace(db);
    crm = await startReceiver({ respond: { status: 500, body: 'out of memory' } });
    lake = await startReceiver();
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: await createTestRedis(),
      DISPATCH_TICK_MS: '200',
      WEBHOOK_MAX_ATTEMPTS: '1',
      // Lets links start sessions.
      NODE_ENV: 'development',
    };
    [api, browser] = await Promise.all([startApp('api', env), openBrowser(), startApp('worker', env)]);
    await addEndpoint(db, { url: crm.url, events: ['decision_room.updated'], description: 'CRM' });
    lakeId = await addEndpoint(db, { url: lake.url, events: ['call.recorded'], description: 'Data lake' });
  });

  afterAll(async () => {
    await browser.close();
    await crm.close();
    await lake.close();
    await database.drop();
  });

  test('an admin finds out by the name of a room why no webhook came, retries it, and sees it arrive', async () => {
    await changeRoom(1_000);
    await crm.waitFor(1);
    const opened = await open('/');
    const { page } = opened;
    // Two clicks.
    await page.getByRole('combobox', { name: 'Search' }).click();
    await page.keyboard.type('glob');
    await page.getByRole('option', { name: "Why didn't it arrive?: Globex" }).click();
    await page.getByText('1 delivery was given up after 1 attempt').waitFor();
    await page.getByText('the endpoint does not subscribe to decision_room.updated').waitFor();
    expect(page.url()).toBe(`${api.url}/console/why?buyer_space_id=${ROOM}`);

    await page.getByRole('button', { name: 'Evidence: 1 delivery' }).first().click();
    await page.getByRole('link', { name: 'decision_room.updated' }).click();
    await page.getByRole('heading', { name: 'Attempt' }).waitFor();
    await page.getByText('out of memory').waitFor();
    // Must precede the change: otherwise a second dead letter might not be on the page yet, and would not be retried.
    crm.respond(200);
    await changeRoom(2_000);
    await page.goBack();

    await page.getByRole('button', { name: /^Retry (it|these)/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry dead letters' });
    await dialog.getByText('127.0.0.1').waitFor();
    await dialog.getByRole('button', { name: /^Retry \d/ }).click();
    await dialog.getByText(/^Done: /).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page
      .getByText(/[Dd]elivered/)
      .first()
      .waitFor();
    expectQuiet(opened);
  });

  test('a sent body is shown, can be copied, and is compared with the current object of the API', async () => {
    const { id } = await db.delivery.findFirstOrThrow({
      where: { eventType: 'decision_room.updated' },
      orderBy: { id: 'asc' },
    });
    crm.respond(200);
    await changeRoom(3_000);
    await capture(db, {
      record: 'room',
      id: ROOM,
      name: 'Globex',
      primaryContactEmail: `${'long-'.repeat(12)}name@globex.example`,
    });
    const opened = await open(`/deliveries/${id}`);
    const { page } = opened;
    const row = page.getByRole('row').filter({ hasText: 'dealValueCents' });
    await row.getByText('1000').waitFor();
    // A long text beside a time has little room. It still has two lines at most.
    const lines = await page
      .getByRole('row')
      .filter({ hasText: 'lastActivityAt' })
      .getByRole('cell')
      .evaluateAll((cells) =>
        cells.map((cell) => {
          const text = cell.firstElementChild!;
          const { lineHeight } = text.ownerDocument.defaultView!.getComputedStyle(text);
          return Math.round(text.getBoundingClientRect().height / Number.parseFloat(lineHeight));
        }),
      );
    expect(lines).toHaveLength(2);
    expect(Math.max(...lines)).toBeLessThanOrEqual(2);
    await page.getByRole('tab', { name: 'As curl' }).click();
    const command = await page.getByText('curl -i -X POST').textContent();
    expect(command).toContain('"dealValueCents":1000');
    expect(command).not.toMatch(/signature/i);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(`/${id}`));
    await page.getByText('Attempt 1: accepted').waitFor();
    expectQuiet(opened);
  });

  test('the log is filtered by the search, keeps the filters in its URL, and updates live', async () => {
    const opened = await open('/deliveries');
    const { page } = opened;
    await page.getByRole('combobox', { name: 'Find deliveries' }).click();
    await page.keyboard.type('globex');
    await page.getByRole('option', { name: 'Globex Room' }).click();
    await page.getByRole('button', { name: 'Remove the filter Room: Globex' }).waitFor();
    expect(page.url()).toContain(`buyer_space_id=${ROOM}`);
    const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('rowheader');
    await rows.first().waitFor();
    const before = await rows.count();
    await changeRoom(4_000);
    await rows.nth(before).waitFor();
    await page.locator('input[aria-label="Status"]').click();
    await page.getByRole('option', { name: 'Dead' }).click();
    await page.getByRole('heading', { name: 'No delivery matches' }).waitFor();
    expect(page.url()).toContain('status=dead');
    expectQuiet(opened);
  });

  test('older deliveries are loaded on demand', async () => {
    archiveId = await addEndpoint(db, { events: ['integration.ping'], description: 'Archive' });
    older = await addDeliveries(db, archiveId, 60, SENT);
    const opened = await open(`/deliveries?endpoint_id=${archiveId}`);
    const { page } = opened;
    // The newest delivery, and one page of older ones.
    await rowLinks(page).nth(50).waitFor();
    expect(await idsOf(page)).toEqual(older.toReversed().slice(0, 51));
    const more = page.getByRole('button', { name: 'Show more' });
    await more.click();
    await rowLinks(page).nth(59).waitFor();
    expect(await idsOf(page)).toEqual(older.toReversed());
    await more.waitFor({ state: 'detached' });
    expectQuiet(opened);
  });

  test('new deliveries are held back and counted while the page is scrolled down', async () => {
    const opened = await open(`/deliveries?endpoint_id=${archiveId}`);
    const { page } = opened;
    await rowLinks(page).nth(50).scrollIntoViewIfNeeded();
    const newer = await addDeliveries(db, archiveId, 3, SENT);
    const banner = page.getByRole('button', { name: '3 new' });
    await banner.waitFor();
    expect(await idsOf(page)).toEqual(older.toReversed().slice(0, 51));
    expect(await page.getByRole('status').filter({ has: banner }).count()).toBe(1);
    await banner.click();
    await rowLinks(page).nth(53).waitFor();
    expect((await idsOf(page)).slice(0, 4)).toEqual([...newer.toReversed(), older.at(-1)]);
    await banner.waitFor({ state: 'detached' });
    await until('the page to be at its top', async () => (await page.evaluate('scrollY')) === 0);
    expectQuiet(opened);
  });

  test('only dead letters since yesterday are retried, after their number is confirmed', async () => {
    await db.webhookDelivery.updateMany({ where: { status: 'dead' }, data: { dismissedAt: new Date() } });
    await addDeliveries(db, lakeId, 2, { ...DEAD, createdAt: new Date(Date.now() - 4 * DAY_MS) });
    await addDeliveries(db, lakeId, 3, { ...DEAD, createdAt: new Date() });
    const withoutError = { ...DEAD, createdAt: new Date(Date.now() - 4 * DAY_MS), lastError: null };
    await addDeliveries(db, lakeId, 2, withoutError);
    const opened = await open('/');
    const { page } = opened;
    // Four clicks.
    await page.getByRole('link', { name: 'Dead letters' }).click();
    await page.getByText('Since yesterday').click();
    await page.getByRole('button', { name: 'Retry all since then' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Retry dead letters' });
    await dialog.getByText('3 deliveries become due at once').waitFor();
    expect(lake.requests).toEqual([]);
    await dialog.getByRole('button', { name: 'Retry 3' }).click();
    await dialog.getByText('Done: 3 are pending again.').waitFor();
    await lake.waitFor(3);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('heading', { name: 'No dead letters in this period' }).waitFor();

    await page.getByText('All', { exact: true }).click();
    const group = page.locator('.dead-letter-group', { hasText: 'no error was recorded' });
    await group.getByRole('button', { name: 'Dismiss these' }).click();
    await page
      .getByRole('dialog')
      .getByText(/, without an error$/)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Dismiss 2' }).click();
    await page.getByText('Done: 2 are dismissed.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await group.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'One by one' }).click();
    await page.getByRole('checkbox', { name: 'Select delivery' }).first().check();
    await page.getByRole('button', { name: 'Dismiss 1 selected' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Dismiss 1' }).click();
    await page.getByText('Done: 1 is dismissed.').waitFor();
    expect(lake.requests).toHaveLength(3);
    expect(await db.webhookDelivery.count({ where: { status: 'dead', dismissedAt: null } })).toBe(1);
    expectQuiet(opened);
  });

  test('every page has no faults in both colour schemes and in a narrow window', async () => {
    const { deliveryId: id } = await db.webhookAttempt.findFirstOrThrow({ orderBy: { deliveryId: 'asc' } });
    const pages = [
      { path: '/deliveries', shows: 'decision_room.updated', picture: 'list' },
      { path: `/deliveries/${id}`, shows: 'Attempt 1', picture: 'detail' },
      { path: '/dead-letters', shows: 'receiver responded with 500', picture: 'dead-letters' },
      { path: `/why?buyer_space_id=${ROOM}`, shows: 'Evidence', picture: 'why' },
    ];
    for (const { path, shows, picture } of pages) {
      const opened = await open(path);
      await opened.page.getByText(shows).first().waitFor();
      expect(await faultsOf(opened.page, `deliveries-${picture}`)).toEqual([]);
      expectQuiet(opened);
      await opened.page.context().close();
    }
  });
});

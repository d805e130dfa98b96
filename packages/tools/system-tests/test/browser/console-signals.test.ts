import { signSessionToken } from '@deal-signals/local-stack/demo/sign-session-token';
import {
  describeInBrowser,
  openBrowser,
  type TestBrowser,
  type TestPage,
} from '@deal-signals/test-kit/browser/open';
import { type RunningApp, startApp, TEST_SECRETS } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import {
  CALL,
  capture,
  captureEvents,
  captureWorkspace,
  LINK,
  ROOM,
} from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { addCompany, addRoom } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { faultsOf } from './page-faults.ts';

const NEIGHBOUR = COMPANY + 1;

let database: TestDatabase;
let api: RunningApp;
let browser: TestBrowser;

const token = (permissions = ['integrations.crm'], userId = 7) =>
  signSessionToken(
    { userId, companyId: COMPANY, permissions, ttlSeconds: 600 },
    TEST_SECRETS.SESSION_JWT_SECRET,
  );

async function open(path: string, options?: Parameters<TestBrowser['newPage']>[0]): Promise<TestPage> {
  const opened = await browser.newPage(options);
  await opened.page.goto(`${api.url}/console/${path}#session=${token()}`);
  return opened;
}

/** Expects what must be true of every page. */
async function expectSound(path: string, heading: string, settled: string): Promise<void> {
  const opened = await open(path);
  await opened.page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await opened.page.getByText(settled).first().waitFor();
  const name = heading.toLowerCase().replaceAll(' ', '-');
  expect(await faultsOf(opened.page, `signals-${name}`)).toEqual([]);
  expect(opened.requestsOutside(api.url)).toEqual([]);
  expect(opened.errors).toEqual([]);
  await opened.page.context().close();
}

describeInBrowser('the signals and the audit log in the console', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    const { db } = database;
    const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000).toISOString();
    await captureWorkspace(db);
    await capture(
      db,
      {
        record: 'callSummary',
        callId: CALL,
        summary: {
          headline: 'They want a pilot',
          keyTakeaways: ['Prices have to be simple'],
          topics: [{ label: 'Prices', startSeconds: 65, endSeconds: 130 }],
        },
      },
      {
        record: 'view',
        key: 'view 1',
        distributionId: LINK,
        startedAt: twoHoursAgo,
        endedAt: twoHoursAgo,
        segments: [
          [0, 300],
          [60, 120],
        ],
      },
    );
    await captureEvents(db, ['first']);
    await addCompany(db, NEIGHBOUR);
    await addRoom(db, NEIGHBOUR, 900, { name: 'Not yours' });
    api = await startApp('api', {
      DATABASE_URL: database.url,
      REDIS_URL: await createTestRedis(),
      // Lets links start sessions.
      NODE_ENV: 'development',
    });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await database.drop();
  });

  test('lead from the list of rooms to the events of one, and to the call with its summary', async () => {
    const { page, errors } = await open('rooms');
    const row = page.getByRole('row', { name: /Globex/ });
    await row.waitFor();
    expect(await row.getByRole('cell').allInnerTexts()).toEqual([
      'Open',
      // 40 points for today, 10 for one person, and 8 for half of the recording.
      '58',
      '50,000,000',
      'Ann',
      // The event of two hours ago was captured now, and the list is sorted by capture time.
      '2 hours ago',
      expect.stringMatching(/second|minute|now/),
    ]);
    expect(await page.getByText('Not yours').count()).toBe(0);
    await page.getByText('Won', { exact: true }).click();
    await page.getByRole('heading', { name: 'No room is won' }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=won');
    await page.getByRole('button', { name: 'Show all rooms' }).click();
    await page.getByRole('link', { name: 'Globex' }).click();
    await page.getByRole('heading', { level: 1, name: 'Globex' }).waitFor();
    const score = page.getByRole('region', { name: 'Engagement score' });
    expect(await score.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining('40 of 40'),
      expect.stringContaining('10 of 30'),
      expect.stringContaining('8 of 30'),
    ]);
    await page.getByRole('region', { name: 'Deal', exact: true }).getByText('2 hours ago').waitFor();
    const strip = page.getByRole('img', { name: /^Of 10:00/ });
    expect(await strip.getAttribute('aria-label')).toBe(
      'Of 10:00, the part from 1:00 to 2:00 was played most, 2 times. 5:00 was not played. 1:00 was watched again.',
    );
    const why = page.getByRole('link', { name: "Why didn't a webhook arrive?" });
    expect(await why.getAttribute('href')).toBe(`/console/why?buyer_space_id=${ROOM}`);
    await page.getByRole('region', { name: 'Calls' }).getByRole('link', { name: 'First demo' }).click();
    await page.getByRole('heading', { level: 1, name: 'First demo' }).waitFor();
    const summary = page.getByRole('region', { name: 'Summary' });
    await summary.getByText('They want a pilot').waitFor();
    await summary.getByText('1:05 – 2:10').waitFor();
    await page.getByRole('link', { name: 'Globex' }).click();
    await page.getByRole('heading', { level: 1, name: 'Globex' }).waitFor();
    expect(errors).toEqual([]);
  });

  test('show the actions of a prospect without a reload, unless the stream is paused', async () => {
    const { page } = await open('events');
    const events = page.getByRole('list', { name: 'Engagement events, newest first' }).getByRole('listitem');
    await events.first().waitFor();
    const before = await events.count();
    await captureEvents(database.db, ['second']);
    await page.locator('.event-stream > .arrived').waitFor();
    expect(await events.count()).toBe(before + 1);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused: new events appear when you continue.').waitFor();
    await captureEvents(database.db, ['third']);
    const asked = page.waitForRequest(/engagement\/events/, { timeout: 5_000 }).catch(() => null);
    expect(await asked).toBeNull();
    expect(await events.count()).toBe(before + 1);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('.event-stream > .arrived').nth(1).waitFor();
    await page.goto(`${api.url}/console/events?type=room_visit#session=${token()}`);
    await page.getByRole('heading', { name: 'No event of this type' }).waitFor();
  });

  test('show in the audit log who did what, and who was refused', async () => {
    const byOther = token(['integrations.crm'], 8);
    for (const [session, name] of [
      [byOther, 'Billing'],
      [token(), 'Warehouse'],
      [token([]), 'Warehouse'],
    ]) {
      const response = await fetch(`${api.baseUrl}/api-keys`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name, scopes: ['read'] }),
      });
      await response.text();
    }
    const { page } = await open('audit-log');
    const rows = page.getByRole('row');
    await rows.nth(2).waitFor();
    expect(await rows.nth(1).innerText()).toMatch(
      /Was refused\s+Operation createApiKey\s+Ann\s+127\.0\.0\.1/,
    );
    expect(await rows.nth(2).innerText()).toMatch(/Created an API key\s+API key \d+\s+Ann\s+127\.0\.0\.1/);
    expect(await page.getByText('Warehouse').isVisible()).toBe(false);
    await rows.nth(2).getByText('Details').click();
    await page.getByText('Warehouse').waitFor();
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Was refused' }).click();
    await rows.nth(2).waitFor({ state: 'detached' });
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(2);
    expect(new URL(page.url()).search).toBe('?action=request.refused');

    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.getByRole('link', { name: 'Only what user 8 did' }).click();
    await rows.nth(2).waitFor({ state: 'detached' });
    expect(await rows.nth(1).innerText()).toMatch(/Created an API key\s+API key \d+\s+User 8\s/);
    await page.getByRole('button', { name: 'Show all users, not only user 8' }).click();
    await rows.nth(3).waitFor();
  });

  test('report that a room or call does not exist, even if another workspace has it', async () => {
    for (const path of [`rooms/${uuid(900)}`, `calls/${uuid(901)}`]) {
      const { page } = await open(path);
      await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    }
  });

  test('have no faults in both colour schemes and in a narrow window', async () => {
    await expectSound('rooms', 'Rooms', 'Globex');
    await expectSound(`rooms/${ROOM}`, 'Globex', 'was played most');
    await expectSound('calls', 'Calls', 'First demo');
    await expectSound(`calls/${CALL}`, 'First demo', 'They want a pilot');
    await expectSound('events', 'Events', 'watched the recording');
    await expectSound('audit-log', 'Audit log', 'Created an API key');
  });
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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
import { until } from '@deal-signals/test-kit/until';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { faultsOf } from './page-faults.ts';

type Page = TestPage['page'];
/** A page or the frame in it. */
type Place = Page | ReturnType<Page['frames']>[number];
type Route = Parameters<Parameters<Page['route']>[1]>[0];

const NEIGHBOUR = COMPANY + 1;
const TYPED = 'https://hooks.acme.example/secret-path';
const SHORT_SECONDS = 12;

let database: TestDatabase;
let api: RunningApp;
let browser: TestBrowser;
/** A trusted page around a frame. It responds to each request for a session with its current token. */
let host: Server;

const consoleUrl = () => `${api.url}/console/`;
const hostUrl = () => `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;

function token(companyId = COMPANY, ttlSeconds = 600): string {
  return signSessionToken(
    { userId: 7, companyId, permissions: ['integrations.crm'], ttlSeconds },
    TEST_SECRETS.SESSION_JWT_SECRET,
  );
}

async function open(path: string, ttlSeconds?: number): Promise<TestPage> {
  const opened = await browser.newPage();
  await opened.page.goto(`${consoleUrl()}${path}#session=${token(COMPANY, ttlSeconds)}`, {
    referer: hostUrl(),
  });
  return opened;
}

const heading = (page: Place, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const urlField = (page: Place) => page.getByRole('textbox', { name: 'URL' });

/** Returns which of the texts are anywhere in the document, including its fields. */
async function foundIn(page: Place, texts: string[]): Promise<string[]> {
  const contents = await page.evaluate<string>(
    "document.documentElement.outerHTML + [...document.querySelectorAll('input, textarea')].map(({ value }) => value)",
  );
  return texts.filter((text) => contents.includes(text));
}
const keptBy = (page: Place) => page.evaluate<Record<string, string>>('({ ...sessionStorage })');
const TOKEN_KEY = 'deal-signals:session';

async function paste(page: Page, given: string): Promise<void> {
  await page.getByLabel('Session token').fill(given);
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function expectBegunAnew(page: Place): Promise<void> {
  await heading(page, 'Overview');
  await page.getByText('This is Globex now').waitFor();
  expect(await foundIn(page, [TYPED, 'Acme'])).toEqual([]);
  await page.getByRole('link', { name: 'Endpoints', exact: true }).click();
  await page.getByRole('link', { name: 'Add an endpoint' }).first().click();
  await heading(page, 'Add an endpoint');
  expect(await urlField(page).inputValue()).toBe('');
}

describeInBrowser('a session that follows another in the same tab', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    for (const [id, name] of [
      [COMPANY, 'Acme'],
      [NEIGHBOUR, 'Globex'],
    ] as const) {
      await addCompany(database.db, id, { name });
      await database.db.user.create({
        data: { companyId: id, id: 7, name: 'Marta Eklund', email: 'marta@example.com' },
      });
    }
    host = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end(`<!doctype html><html lang="en"><title>Host</title>
        <iframe title="Console" src="${consoleUrl()}endpoints/new" style="width:100%;height:700px"></iframe>
        <script>
          let handed = '${token()}';
          const asked = [];
          const give = () => frames[0].postMessage({ type: 'deal-signals:session', token: handed }, '${api.url}');
          addEventListener('message', ({ data }) => { asked.push(data.type); give(); });
        </script>`);
    });
    await new Promise<void>((resolve) => {
      host.listen(0, '127.0.0.1', resolve);
    });
    api = await startApp('api', {
      DATABASE_URL: database.url,
      REDIS_URL: await createTestRedis(),
      CONSOLE_TRUSTED_ORIGINS: new URL(hostUrl()).origin,
    });
    browser = await openBrowser();
  });

  afterAll(async () => {
    host.close();
    await browser.close();
    await database.drop();
  });

  test('inherits nothing from the previous workspace after its session has ended', async () => {
    const { page } = await open('endpoints/new', SHORT_SECONDS);
    await heading(page, 'Add an endpoint');
    await urlField(page).fill(TYPED);
    await heading(page, 'Your session has ended');
    expect(await foundIn(page, [TYPED, 'Acme', 'Add an endpoint', 'Marta'])).toEqual([]);
    expect(await keptBy(page)).not.toHaveProperty(TOKEN_KEY);
    expect(await faultsOf(page, 'session-ended')).toEqual([]);
    await paste(page, token(NEIGHBOUR));
    await expectBegunAnew(page);
    expect(await faultsOf(page, 'session-changed')).toEqual([]);
    await page.reload();
    await heading(page, 'Add an endpoint');
    expect(await foundIn(page, ['This is Globex now'])).toEqual([]);
    expect(await database.db.webhookEndpoint.count()).toBe(0);
  });

  test('keeps everything that was typed if it has the same user and workspace', async () => {
    const { page } = await open('endpoints/new', SHORT_SECONDS);
    await heading(page, 'Add an endpoint');
    await urlField(page).fill(TYPED);
    // One request of the first session stays in flight until the second has begun.
    const held = new Promise<Route>((resolve) => {
      void page.route('**/console/api/search**', resolve, { times: 1 });
    });
    await page.getByRole('combobox', { name: 'Search' }).fill('acme');
    const late = await held;
    await urlField(page).focus();
    await heading(page, 'Your session has ended');
    await paste(page, token());
    await heading(page, 'Add an endpoint');
    expect(await urlField(page).inputValue()).toBe(TYPED);
    expect(await urlField(page).evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    expect(await page.title()).toBe('Add an endpoint · Deal Signals');
    const refused = page.waitForResponse((response) => response.status() === 401);
    await late.continue();
    await (await refused).finished();
    await page.reload();
    await heading(page, 'Add an endpoint');
  });

  test('finds no dialog of the previous session in the document', async () => {
    const { page } = await open('api-keys', SHORT_SECONDS);
    await page.getByRole('button', { name: 'Create a key' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Data warehouse');
    await page.getByRole('dialog').getByLabel('Allowed networks').fill('192.0.2.0/24');
    await heading(page, 'Your session has ended');
    expect(await foundIn(page, ['Data warehouse', '192.0.2', 'role="dialog"'])).toEqual([]);
    await paste(page, token());
    await page.getByRole('dialog').waitFor();
    expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Data warehouse');
  });

  test('from a fragment that is set later is removed from the URL and has to be confirmed', async () => {
    const { page, errors } = await open('endpoints/new');
    await heading(page, 'Add an endpoint');
    await urlField(page).fill(TYPED);
    const other = token(NEIGHBOUR);
    await page.evaluate(`location.hash = '#session=${other}'`);
    await heading(page, 'Continue as Marta Eklund in Globex?');
    expect(page.url()).toBe(`${consoleUrl()}endpoints/new`);
    expect(JSON.stringify(await keptBy(page))).not.toContain(other);
    expect(await foundIn(page, [TYPED, 'Add an endpoint'])).toEqual([]);
    await page.getByRole('button', { name: 'Stay in Acme' }).click();
    await heading(page, 'Add an endpoint');
    expect(await urlField(page).inputValue()).toBe(TYPED);
    await page.goBack();
    expect(page.url()).toBe(`${consoleUrl()}endpoints/new`);
    await page.goForward();
    expect(page.url()).toBe(`${consoleUrl()}endpoints/new`);
    await page.reload();
    await heading(page, 'Add an endpoint');
    expect(JSON.stringify(await keptBy(page))).not.toContain(other);

    await page.evaluate(`location.hash = '#session=${other}'`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This is Globex now').waitFor();
    expect(page.url()).toBe(`${consoleUrl()}endpoints/new`);
    expect(await urlField(page).inputValue()).toBe('');
    expect((await keptBy(page))[TOKEN_KEY]).toBe(other);
    expect(errors).toEqual([]);
  });

  test('from a later fragment needs no confirmation for the same user, and is ignored if it is invalid', async () => {
    const { page } = await open('endpoints/new');
    await heading(page, 'Add an endpoint');
    await urlField(page).fill(TYPED);
    const fresh = token(COMPANY, 500);
    await page.evaluate(`location.hash = '#session=${fresh}'`);
    await until('the tab to keep the fresh token', async () => (await keptBy(page))[TOKEN_KEY] === fresh);
    const refused = page.waitForResponse((response) => response.status() === 401);
    await page.evaluate("location.hash = '#session=eyJ.eyJ.x'");
    await refused;
    expect(page.url()).toBe(`${consoleUrl()}endpoints/new`);
    expect(await urlField(page).inputValue()).toBe(TYPED);
    expect((await keptBy(page))[TOKEN_KEY]).toBe(fresh);
  });

  test('from a link in the tab of another session has to be confirmed, and the other one stays if it is declined', async () => {
    const { page } = await open('audit-log');
    await heading(page, 'Audit log');
    await page.goto(`${consoleUrl()}endpoints#session=${token(NEIGHBOUR)}`);
    await heading(page, 'Continue as Marta Eklund in Globex?');
    await page.getByRole('button', { name: 'Stay in Acme' }).click();
    await heading(page, 'Endpoints');
    await page.getByText('Acme', { exact: true }).waitFor();
  });

  test('is handed over by the page around a frame and inherits nothing either', async () => {
    const { page } = await browser.newPage();
    await page.goto(hostUrl());
    const frame = page.frames()[1]!;
    await heading(frame, 'Add an endpoint');
    await urlField(frame).fill(TYPED);
    // The same user with a new token.
    const read = page.waitForResponse(/console\/api\/session/);
    await page.evaluate(`handed = '${token(COMPANY, 500)}'; give();`);
    await (await read).finished();
    expect(await urlField(frame).inputValue()).toBe(TYPED);
    expect(await keptBy(frame)).not.toHaveProperty(TOKEN_KEY);
    await page.evaluate(`handed = '${token(NEIGHBOUR)}'; give();`);
    await expectBegunAnew(frame);
    expect(await page.evaluate('asked')).toEqual(Array(2).fill('deal-signals:session-wanted'));
    expect(await keptBy(frame)).not.toHaveProperty(TOKEN_KEY);
  });

  test('that a page hands over replaces the one that the tab keeps', async () => {
    const { page } = await browser.newPage();
    await page.goto(hostUrl());
    const frame = page.frames()[1]!;
    await heading(frame, 'Add an endpoint');
    await frame.evaluate(`location.hash = '#session=${token(COMPANY, 500)}'`);
    await until('the tab to keep the token', async () => TOKEN_KEY in (await keptBy(frame)));
    await page.evaluate('give()');
    await until('the tab to remove the token', async () => !(TOKEN_KEY in (await keptBy(frame))));
    expect(await urlField(frame).inputValue()).toBe('');
  });
});

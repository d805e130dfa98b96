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
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { rollUp } from '@deal-signals/test-kit/worlds/rolled-up';
import { addCompany, addRoom } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { faultsOf } from './page-faults.ts';

const SWITCHED_OFF = COMPANY + 1;
const NEIGHBOUR = COMPANY + 2;

let database: TestDatabase;
let api: RunningApp;
let browser: TestBrowser;
/** The host product: an origin that the operator trusts. */
let host: Server;
/** An origin that the operator has not named. */
let stranger: Server;

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const consoleUrl = () => `${api.url}/console/`;
const urlOf = (server: Server) => `http://127.0.0.1:${portOf(server)}/`;

/**
 * A page with a link to the console. It also frames the console, responds to its request with a token, and records the
 * requests.
 */
const framing = (handed: string) => `<!doctype html><html lang="en"><title>Host</title><h1>Host</h1>
  <a href="${consoleUrl()}#session=${handed}">Open</a>
  <iframe title="Console" src="${consoleUrl()}" style="width:100%;height:700px"></iframe>
  <script>
    const asked = (window.asked = []);
    addEventListener('message', ({ data, source, origin }) => {
      asked.push(data.type);
      source.postMessage({ type: 'deal-signals:session', token: '${handed}' }, origin);
    });
  </script>`;

function serve(page: () => string): Promise<Server> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(page());
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

function token({
  companyId = COMPANY,
  permissions = ['integrations.crm'],
  ttlSeconds = 600,
}: { companyId?: number; permissions?: string[]; ttlSeconds?: number } = {}): string {
  return signSessionToken({ userId: 7, companyId, permissions, ttlSeconds }, TEST_SECRETS.SESSION_JWT_SECRET);
}

/** Opens the console as a link of the host product does, unless another page links to it. */
async function open(fragment: string, referer: string | null = urlOf(host)): Promise<TestPage> {
  const opened = await browser.newPage();
  await opened.page.goto(`${consoleUrl()}${fragment}`, referer === null ? {} : { referer });
  return opened;
}

/** Returns what the tab stores, as JSON. */
const keptBy = ({ page }: TestPage) => page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
const question = 'Continue as Marta Eklund in Acme?';

/**
 * Waits for a heading.
 *
 * @throws Error with the text of the page if it does not appear.
 */
async function heading({ page }: TestPage, name: string): Promise<void> {
  try {
    await page.getByRole('heading', { name }).waitFor();
  } catch (cause) {
    throw new Error(`there is no heading "${name}": ${await page.locator('body').innerText()}`, { cause });
  }
}

/** Expects what must be true of every screen. */
async function expectSound(fragment: string, name: string, picture: string): Promise<void> {
  const opened = await open(fragment);
  await heading(opened, name);
  expect(await faultsOf(opened.page, `session-${picture}`)).toEqual([]);
  expect(opened.requestsOutside(api.url)).toEqual([]);
  await opened.page.context().close();
}

describeInBrowser('the session of the console', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    await addCompany(database.db, COMPANY, { name: 'Acme' });
    await database.db.user.create({
      data: { companyId: COMPANY, id: 7, name: 'Marta Eklund', email: 'marta@acme.example' },
    });
    await addCompany(database.db, SWITCHED_OFF, { apiEnabled: false });
    await addCompany(database.db, NEIGHBOUR);
    await addRoom(database.db, NEIGHBOUR, 1, { name: 'Neighbouring deal' });
    await rollUp(database.db);
    host = await serve(() => framing(token({ ttlSeconds: 600 })));
    stranger = await serve(() => framing(token()));
    api = await startApp('api', {
      DATABASE_URL: database.url,
      REDIS_URL: await createTestRedis(),
      CONSOLE_TRUSTED_ORIGINS: `http://127.0.0.1:${portOf(host)}`,
    });
    browser = await openBrowser();
  });

  afterAll(async () => {
    host.close();
    stranger.close();
    await browser.close();
    await database.drop();
  });

  test('is taken from the URL, which no longer shows it, and is stored only by the tab', async () => {
    const secret = token();
    const opened = await open(`#session=${secret}`);
    await heading(opened, 'Overview');
    const elsewhere = await opened.page.evaluate(
      'JSON.stringify([{ ...localStorage }, document.cookie, history.state, document.documentElement.outerHTML])',
    );
    expect(opened.page.url()).toBe(consoleUrl());
    expect(elsewhere).not.toContain(secret);
    expect(JSON.parse(await keptBy(opened))).toMatchObject({ 'deal-signals:session': secret });
    const [other] = await Promise.all([
      opened.page.context().waitForEvent('page'),
      opened.page.evaluate(`open('${consoleUrl()}', '_blank', 'noopener')`),
    ]);
    await other.getByRole('heading', { name: 'You are not logged in' }).waitFor();
    expect(opened.requests.some((url) => url.includes(secret))).toBe(false);
    expect(opened.requestsOutside(api.url)).toEqual([]);
    expect(opened.errors).toEqual([]);
  });

  test('continues on the same page after a reload', async () => {
    const opened = await open(`audit-log#session=${token()}`);
    await heading(opened, 'Audit log');
    await opened.page.reload();
    await heading(opened, 'Audit log');
    expect(opened.errors).toEqual([]);
  });

  test('begins at once when a page of a trusted origin links to the console', async () => {
    const opened = await browser.newPage();
    await opened.page.goto(urlOf(host));
    await opened.page.getByRole('link', { name: 'Open' }).click();
    await heading(opened, 'Overview');
  });

  test('from a link of another origin has to be confirmed, and is gone if the user declines', async () => {
    const opened = await browser.newPage();
    await opened.page.goto(urlOf(stranger));
    await opened.page.getByRole('link', { name: 'Open' }).click();
    await heading(opened, question);
    expect(opened.page.url()).toBe(consoleUrl());
    expect(await faultsOf(opened.page, 'session-offered')).toEqual([]);
    await opened.page.getByRole('button', { name: 'Do not continue' }).click();
    await heading(opened, 'You are not logged in');
    expect(await keptBy(opened)).not.toContain('deal-signals:session');
    const read = opened.requests.map((url) => new URL(url).pathname);
    expect(new Set(read.filter((path) => path.startsWith('/console/api')))).toEqual(
      new Set(['/console/api/session']),
    );
  });

  test('from a link without a referrer has to be confirmed, and begins if the user agrees', async () => {
    const opened = await open(`audit-log#session=${token()}`, null);
    await heading(opened, question);
    await opened.page.getByRole('button', { name: 'Continue', exact: true }).click();
    await heading(opened, 'Audit log');
    await opened.page.reload();
    await heading(opened, 'Audit log');
  });

  test('can be pasted, and a text that is not a token is rejected at the field', async () => {
    const opened = await open('');
    await heading(opened, 'You are not logged in');
    const field = opened.page.getByLabel('Session token');
    await field.fill('hello');
    await opened.page.getByRole('button', { name: 'Continue' }).click();
    await opened.page.getByText('This is not a session token').waitFor();
    await field.fill(token());
    await field.press('Enter');
    await heading(opened, 'Overview');
  });

  test('that was never valid asks for another one', async () => {
    await expectSound('#session=eyJ.eyJ.x', 'This session is not valid', 'refused');
  });

  test('without the permission names the missing one', async () => {
    await expectSound(
      `#session=${token({ permissions: [] })}`,
      'You need a permission for this',
      'permission-missing',
    );
  });

  test('of a workspace without the API reports that it is switched off', async () => {
    await expectSound(
      `#session=${token({ companyId: SWITCHED_OFF })}`,
      'The integration API is switched off',
      'feature-off',
    );
  });

  test('shows nothing of another workspace, by URL or by name', async () => {
    const own = await open(`rooms/${uuid(1)}#session=${token({ companyId: NEIGHBOUR })}`);
    await heading(own, 'Neighbouring deal');
    const opened = await open(`rooms/${uuid(1)}#session=${token()}`);
    await heading(opened, 'There is nothing here');
    for (const [page, box] of [
      [own.page, own.page.getByRole('option', { name: /Neighbouring deal/ }).first()],
      [opened.page, opened.page.getByText('No matches. Words match by their beginnings')],
    ] as const) {
      await page.keyboard.press('/');
      await page.getByRole('combobox', { name: 'Search' }).fill('neighbouring');
      await box.waitFor();
    }
  });

  test('finds nothing for texts that cannot be names, and reports it', async () => {
    const opened = await open(`#session=${token()}`);
    await heading(opened, 'Overview');
    const { page, errors } = opened;
    await page.keyboard.press('/');
    const box = page.getByRole('combobox', { name: 'Search' });
    for (const text of [
      '%',
      "\\' OR 1=1; --",
      '(((&|:*',
      '<img src=x onerror=alert(1)>',
      'a\u0000b',
      '9'.repeat(40),
      'x'.repeat(300),
    ]) {
      const answered = page.waitForResponse((response) => response.url().includes('/console/api/search'));
      await box.fill(text);
      expect((await answered).status()).toBeLessThan(500);
      await page.getByText('No matches. Words match by their beginnings').waitFor();
      await box.fill('');
      await page.getByText('No matches. Words match by their beginnings').waitFor({ state: 'hidden' });
    }
    // The browser reports the two requests that the API rejects.
    expect(errors.filter((error) => !error.includes('status of 400'))).toEqual([]);
  });

  test('is handed over by a trusted page around a frame when the console requests it', async () => {
    const { page } = await browser.newPage();
    await page.goto(`http://127.0.0.1:${portOf(host)}/`);
    await page.frameLocator('iframe').getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.evaluate('asked')).toEqual(['deal-signals:session-wanted']);
  });

  test('is not handed over if the operator does not trust the page around the frame', async () => {
    const { page, errors } = await browser.newPage();
    await page.goto(`http://127.0.0.1:${portOf(stranger)}/`);
    await page.waitForLoadState('networkidle');
    expect(errors.join()).toMatch(/frame-ancestors/);
    expect(await page.evaluate('asked')).toEqual([]);
  });

  test('is not started by messages of a page that only opened the window of the console', async () => {
    const { page } = await browser.newPage();
    await page.goto(`http://127.0.0.1:${portOf(stranger)}/`);
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(`{
        const other = open('${consoleUrl()}');
        setInterval(() => other.postMessage({ type: 'deal-signals:session', token: 'a.b.c' }, '*'), 20);
      }`),
    ]);
    await popup.getByRole('heading', { name: 'You are not logged in' }).waitFor();
    // Long enough for many messages. If one had been accepted, the page would have sent it to the server.
    await popup.waitForTimeout(300);
    expect(await popup.getByRole('heading', { name: 'You are not logged in' }).isVisible()).toBe(true);
  });
});

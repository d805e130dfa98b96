import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import {
  describeInBrowser,
  openBrowser,
  type TestBrowser,
  type TestPage,
} from '@deal-signals/test-kit/browser/open';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import { occurrences } from '@deal-signals/test-kit/occurrences';
import { until } from '@deal-signals/test-kit/until';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { adminToken, request } from '../published-api.ts';
import { faultsOf } from './page-faults.ts';

const ROOM = uuid(1);
/** The scripts as they are served. */
const ASSETS = join(REPOSITORY_ROOT, 'apps/console/dist/assets');

let database: TestDatabase;
let api: RunningApp;
let receiver: Receiver;
let browser: TestBrowser;
let opened: TestPage;
/** The faults that `lookAt` has found in the current test. */
const faults: string[] = [];

/** Opens a page by the navigation, as a person would. */
const goTo = (name: string) =>
  opened.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
const heading = (name: string) => opened.page.getByRole('heading', { name, level: 1 }).waitFor();
const button = (name: string) => opened.page.getByRole('button', { name, exact: true });
const dialog = () => opened.page.getByRole('dialog');
const says = (text: string) => opened.page.getByText(text).first().waitFor();

/** Opens a page by its URL, with a session. */
async function openPage(path: string): Promise<void> {
  await opened.page.goto(`${api.url}/console/${path}#session=${adminToken()}`);
}

/** Records the faults of the current page. The test continues. */
const lookAt = async (name: string): Promise<void> => {
  faults.push(...(await faultsOf(opened.page, `management-${name}`)));
};

describeInBrowser('endpoints and keys in the console', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    await capture(
      database.db,
      { record: 'company', id: COMPANY, name: 'Acme' },
      { record: 'room', id: ROOM, name: 'Globex' },
    );
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: await createTestRedis(),
      DISPATCH_TICK_MS: '100',
      WEBHOOK_MAX_ATTEMPTS: '1',
      // Lets links start sessions.
      NODE_ENV: 'development',
    };
    receiver = await startReceiver({ respond: { status: 500, body: 'out of order' } });
    [api] = await Promise.all([startApp('api', env), startApp('worker', env)]);
    browser = await openBrowser();
    opened = await browser.newPage();
    await openPage('');
  });

  afterEach(() => expect(faults.splice(0)).toEqual([]));

  afterAll(async () => {
    await browser.close();
    await receiver.close();
    await database.drop();
  });

  test('a new workspace is guided to its first key, which is shown once and works', async () => {
    await heading('Overview');
    await opened.page.getByRole('heading', { name: 'Begin here' }).waitFor();
    await lookAt('begin');

    await opened.page.getByRole('link', { name: 'Create a key' }).click();
    await dialog().getByLabel('Name').fill('Data warehouse');
    await dialog().getByLabel('Allowed networks').fill('300.1.2.3');
    await button('Create the key').click();
    await dialog()
      .getByText(/^Must be an array of 1 to 50 IP addresses/)
      .waitFor();
    await dialog().getByLabel('Allowed networks').fill('127.0.0.0/8, ::1');
    await dialog().getByLabel('Only the chosen kinds of data').check();
    await dialog().getByLabel('Calls with their summaries').check();
    await dialog().getByLabel('Register webhook endpoints for the data it may read').check();
    await lookAt('create-key');
    await button('Create the key').click();
    const key = await dialog()
      .getByText(/^dsk_live_[\w-]{43}$/)
      .innerText();
    await lookAt('key-shown');
    const status = await request(`${api.baseUrl}/status`, key);
    expect(status.body.key).toMatchObject({ name: 'Data warehouse', scopes: ['read:calls', 'webhooks'] });

    await button('I have stored it').click();
    await dialog().waitFor({ state: 'hidden' });
    await opened.page.getByRole('row', { name: /Data warehouse/ }).waitFor();
    expect(await opened.page.content()).not.toContain(key);
  });

  test('an endpoint is tested before it is registered, and its secret is shown once', async () => {
    await goTo('Endpoints');
    await opened.page.getByRole('link', { name: 'Add an endpoint' }).click();
    await heading('Add an endpoint');
    const url = opened.page.getByRole('textbox', { name: 'URL' });
    await url.fill('http://hooks.example.com');
    await says('Must begin with https://');
    expect(await button('Add the endpoint').isDisabled()).toBe(true);
    await url.fill('https://10.0.0.1/');
    await button('Send a test event to this URL').click();
    await says('must not point to a private address');

    await url.fill(receiver.url);
    await button('Send a test event to this URL').click();
    await says('The test event was rejected: status 500');
    await says('out of order');
    await opened.page.getByLabel('Only the chosen events').check();
    await opened.page.getByLabel('decision_room.updated', { exact: true }).check();
    await button('Example of decision_room.updated').click();
    await opened.page.getByRole('region', { name: 'Body of decision_room.updated' }).waitFor();
    await button('Add a header').click();
    await opened.page.getByLabel('Header name').fill('Host');
    await opened.page.getByLabel('Value of Host', { exact: true }).fill('other.example');
    await lookAt('new-endpoint');
    await button('Add the endpoint').click();
    await says('must not be one that the service or a connection sets');
    // The error is shown at the row of the header until that is edited.
    const name = opened.page.getByLabel('Name of the header');
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await lookAt('header-refused');
    await name.fill('X-Gateway');
    expect(await name.getAttribute('aria-invalid')).not.toBe('true');
    await button('Add the endpoint').click();

    await heading('Endpoint registered');
    await opened.page.getByText(/^whsec_[\w+/]{43}=$/).waitFor();
    receiver.respond(200);
    await button('Send a test event').click();
    await says('The test event was accepted: status 200');
    expect(receiver.requests.at(-1)?.headers['x-gateway']).toBe('other.example');
    await lookAt('endpoint-registered');
  });

  test('the overview names what needs attention, and its button fixes it', async () => {
    receiver.respond({ status: 500, body: 'out of order' });
    await capture(database.db, { record: 'room', id: ROOM, name: 'Globex', dealValueCents: 100 });
    await goTo('Overview');
    await says('1 dead delivery to');
    await lookAt('overview');

    receiver.respond(200);
    const seen = receiver.requests.length;
    await button('Retry all').click();
    await button('Send 1 delivery again').click();
    await says('Nothing needs your attention.');
    await receiver.waitFor(seen + 1);
    expect(receiver.requests.at(-1)?.headers['x-service-event']).toBe('decision_room.updated');
  });

  test('the first load of the overview, with its chart, is less than 200 KB of compressed script', async () => {
    const first = await browser.newPage();
    await first.page.goto(`${api.url}/console/#session=${adminToken()}`);
    await first.page.getByRole('table', { name: /^Attempts over time/ }).waitFor({ state: 'attached' });
    await first.page.waitForLoadState('networkidle');
    const scripts = first.requests.filter((url) => url.endsWith('.js')).map((url) => basename(url));
    const sizes = scripts.map((name) => statSync(join(ASSETS, `${name}.gz`)).size);
    expect(scripts.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
    expect(first.requestsOutside(api.url)).toEqual([]);
    await first.page.context().close();
  });

  test('an endpoint is changed, rotated, disabled, enabled and removed', async () => {
    await goTo('Endpoints');
    const host = new URL(receiver.url).host;
    await opened.page.getByRole('row', { name: new RegExp(host) }).waitFor();
    await lookAt('endpoints');
    await opened.page.getByRole('link', { name: host }).click();
    await heading(host);
    await opened.page.getByRole('row', { name: /decision_room.updated/ }).waitFor();
    await lookAt('endpoint');

    await opened.page.getByRole('link', { name: 'Change' }).click();
    await opened.page.getByLabel('Description').fill('CRM');
    await opened.page.getByLabel('Deliveries per minute').fill('600');
    const filter = opened.page.getByLabel('Filter');
    await filter.fill('{ "type": ');
    await says('must be valid JSON');
    expect(await button('Save').isDisabled()).toBe(true);
    await filter.fill('{ "actor": { "email": { "$like": "@globex" } } }');
    await button('Save').click();
    await says('filter.actor.email.$like: is not an operator');
    await lookAt('refused-filter');
    await filter.fill('{ "type": { "$in": ["doc_open", "doc_download"] } }');
    await lookAt('change-endpoint');
    await button('Save').click();
    await says('at most 600 deliveries a minute');
    await says('"doc_download"');
    await lookAt('filtered-endpoint');

    await button('More').click();
    await opened.page.getByRole('menuitem', { name: 'Rotate the signing secret' }).click();
    await button('Rotate the secret').click();
    await dialog()
      .getByText(/^Until .*, events are signed with both secrets/)
      .waitFor();
    await button('I have stored it').click();

    await button('More').click();
    await opened.page.getByRole('menuitem', { name: 'Disable' }).click();
    await button('Disable').click();
    await says('Disabled: disabled by an admin');
    await lookAt('disabled');
    await button('Enable').click();
    await button('Enable').waitFor({ state: 'hidden' });
    await dialog()
      .getByText(/since then/)
      .waitFor();
    await lookAt('send-missed');
    await button('Not now').click();
    const { body } = await request(`${api.baseUrl}/webhooks`, adminToken());
    expect(body.data[0]).toMatchObject({ enabled: true, description: 'CRM', maxPerMinute: 600 });
    expect(body.data[0].filter).toEqual({ type: { $in: ['doc_open', 'doc_download'] } });

    await button('More').click();
    await opened.page.getByRole('menuitem', { name: 'Remove' }).click();
    expect(await button('Remove the endpoint').isDisabled()).toBe(true);
    await dialog().getByRole('textbox').fill(host);
    await lookAt('remove-endpoint');
    await button('Remove the endpoint').click();
    await says('No endpoint yet');
  });

  test('a key is rotated with an overlap, and revoked after a confirmation', async () => {
    await goTo('API keys');
    await button('Rotate Data warehouse').click();
    await button('Rotate the key').click();
    await dialog()
      .getByText(/^dsk_live_[\w-]{43}$/)
      .waitFor();
    await button('I have stored it').click();
    const replaced = opened.page.getByRole('row', { name: /Replaced, ends/ });
    await replaced.getByRole('button', { name: 'Revoke Data warehouse' }).click();
    await button('Revoke the key').click();
    await button('Show 1 key that no longer works').click();
    await opened.page.getByRole('row', { name: /Revoked/ }).waitFor();
    await lookAt('api-keys');
    const { body } = await request(`${api.baseUrl}/api-keys`, adminToken());
    expect(body.data.map(({ revokedAt }: { revokedAt: string | null }) => revokedAt === null)).toEqual([
      false,
      true,
    ]);

    await database.db.apiKey.updateMany({
      where: { revokedAt: null },
      data: { expiresAt: new Date(Date.now() + 86_400_000) },
    });
    await goTo('Overview');
    await opened.page.getByRole('link', { name: 'Go to the key' }).click();
    await opened.page.locator('tr:focus', { hasText: 'Expires' }).getByText('Data warehouse').waitFor();
    await lookAt('api-key');
    // The browser reports only the rejected requests of the forms above, and a read of the endpoint that was in progress while
    // it was removed.
    expect(
      opened.errors.filter(
        (error) => !error.includes('status of 400') && !/status of 404 .*\/webhooks\/1(\/|$)/.test(error),
      ),
    ).toEqual([]);
    expect(opened.requestsOutside(api.url)).toEqual([]);
  });

  test('a key that expires at once leaves the list, and the new one is shown until it is stored', async () => {
    const { page, errors } = await browser.newPage();
    await page.goto(`${api.url}/console/api-keys#session=${adminToken()}`);
    await page.getByRole('button', { name: 'Rotate Data warehouse' }).click();
    await page.getByLabel('Overlap').and(page.locator('input')).click();
    await page.getByRole('option', { name: 'None: the old one stops working at once' }).click();
    await page.getByRole('button', { name: 'Rotate the key' }).click();
    await page.getByText('2 keys that no longer work').waitFor();
    const shown = page.getByRole('dialog').getByText(/^dsk_live_[\w-]{43}$/);
    expect((await request(`${api.baseUrl}/status`, await shown.innerText())).status).toBe(200);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('a person is erased after the counts are shown and confirmed', async () => {
    const link = uuid(70);
    const email = 'zoe.quist@globex.example';
    await capture(
      database.db,
      { record: 'distribution', id: link, roomId: ROOM, recipientName: 'Zoe Quist', recipientEmail: email },
      { record: 'event', key: 'zoe', type: 'room_visit', occurredAt: '2026-09-02', distributionId: link },
      {
        record: 'message',
        key: 'zoe',
        roomId: ROOM,
        side: 'seller',
        sentAt: '2026-09-02',
        text: 'Hi Zoe Quist',
      },
    );
    await openPage('');
    await goTo('Erasures');
    await heading('Erasures');
    await says('No erasures yet');
    await lookAt('erasures-none');

    await opened.page.getByLabel('Address').fill('nobody');
    await button('Preview the erasure').click();
    await says('Invalid email address');
    await opened.page.getByLabel('Address').fill('nobody@globex.example');
    await button('Preview the erasure').click();
    await dialog().getByText('so there is nothing to erase').waitFor();
    expect(await button('Erase permanently').isDisabled()).toBe(true);
    await lookAt('erase-nothing');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await opened.page.getByLabel('Address').fill(email);
    await button('Preview the erasure').click();
    await dialog().getByText('1 person').waitFor();
    for (const text of ['1 share link', '1 engagement event', '1 message']) {
      await dialog().getByText(text, { exact: true }).waitFor();
    }
    await lookAt('erase');
    expect(await database.db.erasureRun.count()).toBe(0);
    await button('Erase permanently').click();
    await dialog().waitFor({ state: 'hidden' });
    const row = opened.page.getByRole('row', { name: /A person Erased 1/ });
    await row.waitFor({ timeout: 30_000 });
    await lookAt('erasures');
    expect(await occurrences(database.db, 'Quist')).toEqual([]);
  });

  test('alert channels are added, tested and removed, and their secrets shown once', async () => {
    await goTo('Alert channels');
    await says('No alert channel yet');
    await lookAt('alert-channels-empty');
    await button('Add a channel').click();
    await dialog().getByLabel('URL').fill('https://10.0.0.1/');
    await button('Add the channel').click();
    await says('Must not point to a private address');
    await dialog().getByLabel('URL').fill(`${receiver.url}secret-of-the-chat`);
    await dialog().getByLabel('Description').fill('On-call');
    await dialog().getByLabel('An endpoint has recovered').uncheck();
    await lookAt('create-alert-channel');
    receiver.respond(200);
    await button('Add the channel').click();
    await dialog().waitFor({ state: 'hidden' });
    const row = opened.page.getByRole('row', { name: /On-call Slack at 127\.0\.0\.1/ });
    await row.getByText('none yet').waitFor();
    expect(await row.getByText('An endpoint has recovered').count()).toBe(0);
    await row.getByRole('button', { name: 'Send a test to Slack' }).click();
    await row.getByText('Accepted').waitFor();

    await button('Add a channel').click();
    await dialog().getByLabel('Kind').click();
    await opened.page.getByRole('option', { name: 'Webhook' }).click();
    await dialog().getByLabel('URL').fill(receiver.url);
    await button('Add the channel').click();
    const secret = await dialog()
      .getByText(/^whsec_[\w+/]{43}=$/)
      .innerText();
    await lookAt('alert-channel-secret');
    await button('I have stored it').click();
    await dialog().waitFor({ state: 'hidden' });
    const other = opened.page.getByRole('row', { name: /Webhook at 127\.0\.0\.1/ });
    receiver.respond(404);
    await other.getByRole('button', { name: 'Send a test to Webhook' }).click();
    await other.getByText('receiver responded with 404').waitFor();
    await lookAt('alert-channels');
    for (const text of [secret, 'secret-of-the-chat'])
      expect(await opened.page.content()).not.toContain(text);
    await other.getByRole('button', { name: 'Remove Webhook' }).click();
    await button('Remove the channel').click();
    await other.waitFor({ state: 'detached' });
    expect(await database.db.alertChannel.count()).toBe(1);
    receiver.respond({ status: 500, body: 'out of order' });
  });

  test('a panel reports that it cannot be loaded until it can, and keeps its content when a later read fails', async () => {
    await addEndpoint(database.db, { url: receiver.url, events: ['*'] });
    const { page } = await browser.newPage();
    const counts = '**/console/api/delivery-counts**';
    let reads = 0;
    const refuseCounts = async (status: number) => {
      reads = 0;
      await page.unroute(counts);
      await page.route(counts, async (route) => {
        reads += 1;
        await route.fulfill({ status, json: { error: 'not now', code: 'UNKNOWN' } });
      });
    };
    const failed = page.getByRole('heading', { name: 'This could not be loaded' });
    const chart = page.getByRole('table', { name: /^Attempts over time/ });
    await refuseCounts(503);
    await page.goto(`${api.url}/console/#session=${adminToken()}`);
    await page.getByRole('status', { name: 'Loading the attempts' }).waitFor();
    faults.push(...(await faultsOf(page, 'management-panel-loading')));
    await failed.waitFor();
    await page.getByText('not now').waitFor();
    faults.push(...(await faultsOf(page, 'management-panel-failed')));
    await page.getByRole('table', { name: 'Endpoints with their health' }).waitFor();
    await page.unroute(counts);
    await chart.waitFor({ state: 'attached' });

    await refuseCounts(400);
    await until('the counts to be refused twice', () => reads > 1);
    expect([await chart.count(), await failed.count()]).toEqual([1, 0]);
    await page.context().close();
  });
});

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { verifyWebhook } from 'deal-signals/webhooks/verify-webhook';
import { signSessionToken } from '@deal-signals/local-stack/demo/sign-session-token';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { issueCertificate, openCertificateAuthority } from '@deal-signals/local-stack/servers/certificates';
import { sendRecords } from '@deal-signals/test-kit/capture-sender';
import {
  holdResponses,
  type ReceivedRequest,
  type Receiver,
  startReceiver,
} from '@deal-signals/test-kit/servers/https-receiver';
import { until } from '@deal-signals/test-kit/until';
import { LINK, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildImages, type Target } from '../../src/images/build.ts';
import { composeServices, type ServiceName } from '../../src/images/compose-file.ts';
import {
  type Container,
  type ContainerStack,
  openContainerStack,
  runInImage,
} from '../../src/images/containers.ts';
import { crawl } from '../../src/images/crawl.ts';
import { missingForImages, run } from '../../src/images/engine.ts';
import { request } from '../published-api.ts';

// Builds the shipped images and runs them as the compose file does.

const BUILD_TIMEOUT_MS = 1_200_000;
const MEGABYTE = 1_000_000;
const REQUESTS = 1_000;
const REQUESTS_AT_ONCE = 8;
const CAPTURE_TOKEN = 'a-capture-token-long-enough-for-the-images';
const SESSION_JWT_SECRET = 'a session secret of a decent length';
const PARTIES = { issuer: 'https://login.example.com', audience: 'deal-signals' };
const GRACE_MS = 30_000;
const PATIENT = { timeoutMs: 120_000 };
/** Writable paths that an engine adds to every container: memory that processes share. */
const ENGINE_PATHS = ['/dev/mqueue', '/dev/shm'];

/** Values with characters that break URLs, shells and settings files. */
const VARIABLES = {
  POSTGRES_PASSWORD: 'post gres#?%',
  OWNER_PASSWORD: 'own\'er\\ "p#?%&',
  APP_PASSWORD: 'ap p#?%/+=@:;$!',
  REDIS_PASSWORD: 're dis#?%/+=@:;$HOME "ключ🔑"',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  CAPTURE_TOKENS: CAPTURE_TOKEN,
  SESSION_JWT_SECRET,
  SESSION_JWT_ISSUER: PARTIES.issuer,
  SESSION_JWT_AUDIENCE: PARTIES.audience,
  RATE_LIMIT_PER_MINUTE: '1000000',
  DISPATCH_WAKE: 'true',
  DISPATCH_TICK_MS: '1000',
  DISPATCH_BATCH: '500',
  DISPATCH_ENDPOINT_LIMIT: '500',
  // A lease is three times as long. When it ends, another worker sends what a killed one had begun.
  WEBHOOK_TIMEOUT_MS: '5000',
};

const missing = await missingForImages();
if (missing !== null) process.stderr.write(`skipped: building and running the images: ${missing}\n`);

(missing === null ? describe : describe.skip)('the images', () => {
  let folder: string;
  let images: Record<ServiceName, string>;
  let addedBytes: Record<Target, number>;
  let stack: ContainerStack;
  let receiver: Receiver;
  let api: Container;
  let worker: Container;
  let endpoint: string;
  let signingSecret: string;
  let key: string;
  let captured = 0;
  const measured: [string, string][] = [];

  const token = () =>
    signSessionToken(
      { userId: 7, companyId: COMPANY, permissions: ['integrations.crm'], ttlSeconds: 600 },
      SESSION_JWT_SECRET,
      PARTIES,
    );
  const baseUrl = (container = api) => `http://${container.address}:3000/api/v1`;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'deal-signals-images-'));
    const from = performance.now();
    ({ images, addedBytes } = await buildImages());
    measured.push(['build', `${Math.round((performance.now() - from) / 1000)} s`]);
    for (const [target, bytes] of Object.entries(addedBytes))
      measured.push([`${target} over its base`, `${Math.round(bytes / MEGABYTE)} MB`]);
    const authority = await openCertificateAuthority(folder);
    stack = await openContainerStack(images, (gateway) => ({
      ...VARIABLES,
      WEBHOOK_CA_FILE: authority.certificateFile,
      WEBHOOK_ALLOWED_PRIVATE_HOSTS: gateway,
    }));
    receiver = await startReceiver({
      host: stack.gateway,
      certificate: await issueCertificate(authority, [stack.gateway]),
    });
    const [postgres, redis] = [await stack.start('postgres'), await stack.start('redis')];
    await Promise.all([stack.untilHealthy('postgres', postgres), stack.untilHealthy('redis', redis)]);
    measured.push(['migrate', (await stack.runToEnd('migrate')).split('\n').at(-1) ?? '']);
    api = await stack.start('api');
    measured.push(['API ready after', `${await api.untilReady(3002)} ms`]);
    worker = await stack.start('worker');
    measured.push(['worker ready after', `${await worker.untilReady(3001)} ms`]);
    const { status, lines } = await sendRecords(
      `http://${api.address}:3003`,
      [
        { record: 'company', id: COMPANY, name: 'Acme' },
        { record: 'room', id: ROOM, name: 'Globex', companyId: COMPANY },
        {
          record: 'distribution',
          id: LINK,
          roomId: ROOM,
          recipientName: 'Bob',
          recipientEmail: null,
          companyId: COMPANY,
        },
      ]
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
      '',
      CAPTURE_TOKEN,
    );
    expect([status, lines.at(-1)]).toMatchObject([200, { done: true, captured: 3 }]);
    const webhook = await request(`${baseUrl()}/webhooks`, token(), {
      method: 'POST',
      body: { url: receiver.url, events: ['engagement.recorded'] },
    });
    endpoint = webhook.body.data.id;
    signingSecret = webhook.body.secret;
    const createdKey = await request(`${baseUrl()}/api-keys`, token(), {
      method: 'POST',
      body: { name: 'test' },
    });
    key = createdKey.body.key;
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await stack?.close();
    await receiver?.close();
    await rm(folder, { recursive: true, force: true });
    process.stderr.write(measured.map(([name, value]) => `${name}: ${value}\n`).join(''));
  });

  /** Posts new events. Returns whether all were confirmed. */
  async function captureEvents(count: number, container = api): Promise<boolean> {
    const records = Array.from({ length: count }, (_, n) => ({
      record: 'event',
      companyId: COMPANY,
      key: `key-${captured + n}`,
      type: 'room_visit',
      occurredAt: new Date().toISOString(),
      distributionId: LINK,
    }));
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    const { lines } = await sendRecords(`http://${container.address}:3003`, text, '', CAPTURE_TOKEN);
    const isConfirmed = lines.at(-1)?.done === true;
    if (isConfirmed) captured += count;
    return isConfirmed;
  }

  const eventIds = () =>
    new Set(
      receiver.requests.map(
        ({ rawBody }) => (JSON.parse(rawBody.toString()) as { data: { id: string } }).data.id,
      ),
    );

  /** Waits until every captured event has arrived and every delivery is recorded. Some may have arrived twice. */
  async function untilAllDelivered(): Promise<void> {
    await until(`${captured} events at the receiver`, () => eventIds().size >= captured, PATIENT);
    await until(
      'no pending deliveries',
      async () =>
        (await request(`${baseUrl()}/webhooks/${endpoint}/deliveries?status=pending`, token())).body.data
          .length === 0,
      PATIENT,
    );
    const { body } = await request(`${baseUrl()}/webhooks/${endpoint}/deliveries?status=dead`, token());
    expect(body.data).toEqual([]);
  }

  test('are small, and have no package manager', async () => {
    expect(addedBytes.api / MEGABYTE).toBeLessThan(110);
    expect(addedBytes.worker / MEGABYTE).toBeLessThan(70);
    const search =
      "for name in npm npx pnpm pnpx yarn yarnpkg corepack; do command -v $name; done; find / -xdev -type d -path '*/node_modules/*' '(' -name npm -o -name pnpm -o -name yarn -o -name corepack ')'";
    for (const name of ['api', 'worker', 'migrate'] as const)
      expect([name, await runInImage(images[name], 'sh', '-c', `${search}; true`)]).toEqual([name, '']);
  });

  test('run without root and capabilities, cannot gain any, and write only to /tmp', async () => {
    const WALK = `
      const fs = require('node:fs');
      const isWritable = (file) => { try { fs.accessSync(file, fs.constants.W_OK); return true; } catch { return false; } };
      const found = [];
      const walk = (folder) => {
        if (isWritable(folder)) return found.push(folder);
        let entries = [];
        try { entries = fs.readdirSync(folder, { withFileTypes: true }); } catch {}
        for (const entry of entries) {
          const file = folder === '/' ? '/' + entry.name : folder + '/' + entry.name;
          if (['/proc', '/sys'].includes(file)) continue;
          if (entry.isDirectory()) walk(file);
          else if (fs.lstatSync(file).isFile() && isWritable(file)) found.push(file);
        }
      };
      walk('/');
      const status = fs.readFileSync('/proc/1/status', 'utf8');
      const field = (name) => new RegExp('^' + name + ':\\\\s+(.*)$', 'm').exec(status)[1];
      console.log(JSON.stringify({ found, user: field('Uid'), capabilities: field('CapBnd'), noGain: field('NoNewPrivs') }));`;
    for (const container of [api, worker]) {
      const { found, ...rest } = JSON.parse(await container.exec('node', '-e', WALK)) as { found: string[] };
      expect(found.filter((file) => !ENGINE_PATHS.includes(file))).toEqual(['/tmp']);
      expect(rest).toEqual({ user: '1000\t1000\t1000\t1000', capabilities: '0000000000000000', noGain: '1' });
    }
  });

  test('have a health check that succeeds', async () => {
    const { api: ofApi, worker: ofWorker } = composeServices();
    expect([ofApi.healthcheck, ofWorker.healthcheck]).toEqual([undefined, undefined]);
    for (const container of [api, worker]) await container.checkHealth();
  });

  test('deliver a captured record to a receiver, signed', async () => {
    const before = receiver.requests.length;
    await captureEvents(1);
    const { rawBody, headers } = (await receiver.waitFor(before + 1))[before] as ReceivedRequest;
    const event = await verifyWebhook(rawBody, headers, signingSecret);
    expect(event).toMatchObject({ type: 'engagement.recorded', data: { type: 'room_visit' } });
    const { body } = await request(`${baseUrl()}/engagement/events`, key);
    expect(body.data).toEqual([(event as { data: unknown }).data]);
  });

  test('serve the console and the docs with everything that these pages load', async () => {
    const origin = `http://${api.address}:3000`;
    const pages = new Map([
      ...(await crawl(origin, '/api/v1/docs', (file) => file.startsWith('/api/v1/'))),
      ...(await crawl(origin, '/console/', (file) => file.startsWith('/console/'))),
    ]);
    const failed = [...pages].filter(([, { status }]) => status !== 200);
    expect(failed).toEqual([]);
    const counted = (type: string) => [...pages.values()].filter((page) => page.type.includes(type)).length;
    expect(counted('text/html')).toBeGreaterThan(15);
    expect(counted('javascript')).toBeGreaterThan(10);
  });

  test('run the operator commands', async () => {
    expect(await stack.runToEnd('migrate')).toBe('nothing to apply: the database is up to date');
    expect(await stack.runToEnd('migrate', 'rebuild-texts')).toMatch(
      /^engagement events: wrote \d+ texts of \d+$/m,
    );
    const reencrypt = 'packages/sending/dist/secrets/reencrypt-secrets-command.js';
    expect(await stack.runToEnd('api', 'node', reencrypt)).toMatch(/no other key is needed any more$/);
  });

  test('contain the packages that their bills of materials list', async () => {
    await run(path.join(REPOSITORY_ROOT, 'docker/sbom.sh'), folder);
    const LIST = `
      const fs = require('node:fs');
      const found = new Set();
      for (const entry of fs.readdirSync('node_modules/.pnpm', { withFileTypes: true })) {
        const modules = 'node_modules/.pnpm/' + entry.name + '/node_modules';
        if (!fs.existsSync(modules)) continue;
        for (const name of fs.readdirSync(modules)) {
          for (const own of name.startsWith('@') ? fs.readdirSync(modules + '/' + name).map((inner) => name + '/' + inner) : [name]) {
            const folder = modules + '/' + own;
            if (fs.lstatSync(folder).isSymbolicLink()) continue;
            const file = folder + '/package.json';
            if (!fs.existsSync(file)) continue;
            const { name, version } = JSON.parse(fs.readFileSync(file, 'utf8'));
            found.add(name + '@' + version);
          }
        }
      }
      console.log(JSON.stringify([...found].sort()));`;
    for (const target of ['api', 'worker', 'migrate'] as const) {
      const document = JSON.parse(await readFile(path.join(folder, `${target}.cdx.json`), 'utf8')) as {
        components: { group?: string; name: string; version: string }[];
      };
      const listed = document.components
        .filter(({ group }) => group !== '@deal-signals')
        .map(({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name}@${version}`);
      const inImage = JSON.parse(await runInImage(images[target], 'node', '-e', LIST)) as string[];
      expect(inImage.length).toBeGreaterThan(10);
      expect([target, inImage.filter((name) => !listed.includes(name))]).toEqual([target, []]);
    }
  });

  test('send deliveries of a killed worker again when it is back', async () => {
    const before = await worker.pid();
    const sent = receiver.requests.length;
    const release = holdResponses(receiver);
    await captureEvents(50);
    await receiver.waitFor(sent + 20);
    process.kill(before, 'SIGKILL');
    const after = await until('another process of the worker', async () => {
      const pid = await worker.pid();
      return pid !== before && pid;
    });
    expect(after).not.toBe(before);
    release();
    await worker.untilReady(3001);
    await untilAllDelivered();
    expect(receiver.requests.length).toBeGreaterThan(sent + 50);
  });

  test(`stay within the memory of the compose file with ${REQUESTS} requests and deliveries`, async () => {
    const left = Array.from({ length: REQUESTS }, (_, n) => n);
    const statuses = new Map<number, number>();
    const ask = async () => {
      while (left.pop() !== undefined) {
        const response = await fetch(`${baseUrl()}/engagement/events`, {
          headers: { authorization: `Bearer ${key}` },
        });
        await response.arrayBuffer();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      }
    };
    const capture = async () => {
      for (let n = 0; n < 10; n += 1) expect(await captureEvents(REQUESTS / 10)).toBe(true);
    };
    await Promise.all([capture(), ...Array.from({ length: REQUESTS_AT_ONCE }, ask)]);
    await untilAllDelivered();
    expect(Object.fromEntries(statuses)).toEqual({ 200: REQUESTS });
    for (const [name, container, limit] of [
      ['API', api, 1024],
      ['worker', worker, 512],
    ] as const) {
      const peak = await container.peakMemory();
      measured.push([`${name} at most`, `${Math.round(peak / MEGABYTE)} MB`]);
      expect(peak / 1024 / 1024).toBeLessThan(limit);
      expect(await container.memoryLimit()).toBe(limit * 1024 * 1024);
    }
  });

  test('are replaced one by one during requests and deliveries, without losses', async () => {
    const balancer = new Set([api]);
    const failures: unknown[] = [];
    const over = new AbortController();
    const load = async () => {
      while (!over.signal.aborted) {
        const [target = api] = [...balancer].toReversed();
        const isConfirmed = await captureEvents(5, target).catch(
          (error: unknown) => failures.push(error) < 0,
        );
        const response = await fetch(`${baseUrl(target)}/status`, {
          headers: { authorization: `Bearer ${key}` },
        }).catch((error: unknown) => error as Error);
        if (!isConfirmed || response instanceof Error || !response.ok) failures.push(response);
      }
    };
    const running = load();
    const nextApi = await stack.start('api');
    await nextApi.untilReady(3002);
    balancer.add(nextApi);
    const oldApi = await api.stop();
    api = nextApi;
    const nextWorker = await stack.start('worker');
    await nextWorker.untilReady(3001);
    const oldWorker = await worker.stop();
    worker = nextWorker;
    over.abort();
    await running;
    await untilAllDelivered();
    expect(failures).toEqual([]);
    expect([oldApi.exitCode, oldWorker.exitCode]).toEqual([0, 0]);
    for (const [name, { elapsedMs }] of [
      ['API', oldApi],
      ['worker', oldWorker],
    ] as const) {
      measured.push([`${name} stopped after`, `${Math.round(elapsedMs)} ms`]);
      expect(elapsedMs).toBeLessThan(GRACE_MS);
    }
    const { body } = await request(`${baseUrl()}/engagement/events`, key);
    expect(body.data.length).toBeGreaterThan(0);
  });
});

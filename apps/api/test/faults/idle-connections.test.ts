import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { captureUrlOf, CAPTURE_ENV } from '@deal-signals/test-kit/capture-sender';
import { startApp } from '@deal-signals/test-kit/processes';
import { parseScrape } from '@deal-signals/test-kit/prometheus-text';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Opens connections that send one text and then nothing, read nothing, and stay open until the process is killed. */
const CALLER = `
  const { connect } = require('node:net');
  process.once('message', async ({ port, connections, sent }) => {
    for (let n = 0; n < connections; n += 1) {
      const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).pause();
      client.on('error', () => {});
      await new Promise((resolve) => client.once('connect', resolve));
      client.write(sent);
    }
    process.send('opened');
  });
  setTimeout(() => process.exit(1), 120_000);
`;

async function startCaller(port: number, connections: number, sent: string) {
  const caller = spawn(process.execPath, ['-e', CALLER], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  caller.send({ port, connections, sent });
  await once(caller, 'message');
  return caller;
}

test.each([
  ['send nothing', ''],
  [
    'send half a body',
    'POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  ],
])(
  'the public port and the capture port respond again after too many connections that %s',
  async (_what, sent) => {
    const api = await startApp('api', {
      DATABASE_URL: database.url,
      REDIS_URL: await createTestRedis(),
      API_ADMIN_PORT: '0',
      ...CAPTURE_ENV,
    });
    const admin = `http://127.0.0.1:${/"adminPort":(\d+)/.exec(api.output())?.[1]}`;
    const urls = [api.url, await captureUrlOf(api)];
    const metric = async (name: string) =>
      parseScrape(await (await fetch(`${admin}/metrics`)).text()).values.get(name) ?? 0;
    const openFiles = () => metric('process_open_fds');
    const answers = (url: string) =>
      fetch(`${url}/healthz`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(1_000) }).then(
        ({ ok }) => ok,
        () => false,
      );
    const normalFiles = await openFiles();
    const callers = await Promise.all([
      startCaller(Number(new URL(urls[0]!).port), 4_050, sent),
      startCaller(Number(new URL(urls[1]!).port), 1_150, sent),
    ]);
    try {
      await until('the port is full', () => metric('deal_signals_dropped_connections_total'));
      for (const url of urls) await until(`${url} answers`, () => answers(url));
      // The callers keep their sides open, so the server must close the connections.
      await until('the descriptors are free again', async () => (await openFiles()) <= normalFiles);
    } finally {
      for (const caller of callers) {
        caller.kill('SIGKILL');
        await once(caller, 'exit');
      }
    }
    expect(await Promise.all(urls.map(answers))).toEqual([true, true]);
  },
);

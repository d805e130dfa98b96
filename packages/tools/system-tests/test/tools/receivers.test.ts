import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { onFreePort } from '@deal-signals/local-stack/servers/ports';
import {
  type ReceivedRequest,
  startReceiver,
  type Receiver,
} from '@deal-signals/test-kit/servers/https-receiver';
import { startApp, type RunningApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { until } from '@deal-signals/test-kit/until';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { adminToken, request } from '../published-api.ts';
import {
  askPython,
  copyExamples,
  HAS_GO,
  HAS_PYTHON,
  type RunningProgram,
  startProgram,
} from '../docs/programs.ts';

const ROOM = uuid(1);
const OLD_SECRET = `whsec_${'o'.repeat(43)}=`;

/** Go keeps what it has compiled, so this takes long only once on a machine. */
const GO_TIMEOUT_MS = 600_000;

/** Changes with each capture, so that each is an event. */
let dealValueCents = 0;
let database: TestDatabase;
let api: RunningApp;

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
  };
  [api] = await Promise.all([startApp('api', env), startApp('worker', env)]);
});

afterAll(() => database.drop());

interface ExampleReceiver {
  file: string;
  /** Returns the stored envelopes in order of arrival. */
  inbox: (folder: string) => any[];
}

const inTypeScript: ExampleReceiver = {
  file: 'receiver.mts',
  inbox(folder) {
    const file = path.join(folder, 'inbox.ndjson');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
    return lines.map((line) => JSON.parse(line));
  },
};

const inPython: ExampleReceiver = {
  file: 'receiver.py',
  inbox: (folder) =>
    askPython(
      folder,
      'import sqlite3, json\n' +
        'rows = sqlite3.connect("inbox.db").execute("SELECT body FROM inbox ORDER BY rowid")\n' +
        'print(json.dumps([json.loads(body) for body, in rows]))',
    ),
};

const inGo: ExampleReceiver = { ...inTypeScript, file: 'receiver.go' };

const missing = [
  ...(HAS_PYTHON ? [] : ['PYTHON3 IS NOT ON THIS MACHINE: receiver.py is not run']),
  ...(HAS_GO ? [] : ['GO IS NOT ON THIS MACHINE: receiver.go is not compiled']),
];
if (missing.length > 0) test.skip.each(missing)('%s', () => {});

describe.each([inTypeScript, ...(HAS_PYTHON ? [inPython] : []), ...(HAS_GO ? [inGo] : [])])(
  'docs/examples/receiver/$file',
  ({ file, inbox }) => {
    let folder: string;
    let program: RunningProgram;
    let url: string;
    let front: Receiver;
    let secret: string;

    beforeAll(async () => {
      // The page requires a TLS terminator in front of the program.
      front = await startReceiver({
        async respond({ headers, rawBody }, { response }) {
          response.writeHead(await post(rawBody, headers['x-service-signature'] as string)).end();
        },
      });
      const { body } = await request(`${api.baseUrl}/webhooks`, adminToken(), {
        method: 'POST',
        body: { url: front.url, events: ['*'] },
      });
      secret = body.secret;
      folder = copyExamples('receiver');
      await onFreePort(0, async (port) => {
        url = `http://127.0.0.1:${port}/`;
        program = startProgram(folder, file, {
          PORT: String(port),
          WEBHOOK_SECRETS: `${OLD_SECRET},${secret}`,
        });
        await program.until('the receiver to listen', async () => (await post('{}', undefined)) === 400);
      });
    }, GO_TIMEOUT_MS);

    afterAll(() => front.close());

    /** Sends a body straight to the program. Returns the status of its response. */
    async function post(body: string | Buffer, signature: string | undefined): Promise<number> {
      const headers = new Headers(signature === undefined ? [] : [['x-service-signature', signature]]);
      const { status } = await fetch(url, { method: 'POST', headers, body: body.toString() });
      return status;
    }

    function sign(body: string, withSecret: string, ageSeconds = 0): string {
      const t = Math.floor(Date.now() / 1000) - ageSeconds;
      return `t=${t},v1=${createHmac('sha256', withSecret).update(`${t}.${body}`).digest('hex')}`;
    }

    test('stores a real delivery once, however often it arrives', async () => {
      await capture(database.db, {
        record: 'room',
        id: ROOM,
        name: 'Globex — “ü”',
        dealValueCents: (dealValueCents += 1),
      });
      const [{ rawBody, headers }] = (await front.waitFor(1)) as [ReceivedRequest];
      await program.until('the delivery to be stored', () => inbox(folder).length > 0);
      const envelope = JSON.parse(rawBody.toString());
      expect(inbox(folder)).toEqual([envelope]);
      await until('the delivery to be delivered', () =>
        database.db.webhookDelivery.findFirst({ where: { eventId: envelope.id, status: 'delivered' } }),
      );
      expect(await post(rawBody, headers['x-service-signature'] as string)).toBe(204);
      expect(inbox(folder)).toEqual([envelope]);
    });

    test('accepts either secret, 300 seconds of clock skew and unknown types', async () => {
      const good: [string, string, number][] = [
        ['current secret', secret, 0],
        ['old secret', OLD_SECRET, 0],
        ['late', secret, 290],
        ['early', secret, -290],
      ];
      for (const [name, withSecret, age] of good) {
        const body = `{ "id": "${name}", "type": "brand.new", "data": { "ü": 1 } }`;
        expect([name, await post(body, sign(body, withSecret, age))]).toEqual([name, 204]);
        expect(inbox(folder).at(-1)).toEqual(JSON.parse(body));
      }
    });

    test('accepts a delivery with two signatures during a rotation if it has one of the secrets', async () => {
      const unknown = `whsec_${'x'.repeat(43)}`;
      const cases: [string, string, number][] = [
        [unknown, secret, 204],
        [secret, unknown, 204],
        [unknown, unknown, 400],
      ];
      for (const [n, [newer, older, status]] of cases.entries()) {
        const body = `{ "id": "twice ${n}", "type": "brand.new", "data": {} }`;
        const [t, v1] = sign(body, newer).split(',');
        const header = `${t},${v1},v1=${createHmac('sha256', older)
          .update(`${t?.slice(2)}.${body}`)
          .digest('hex')}`;
        expect([n, await post(body, header)]).toEqual([n, status]);
      }
    });

    test('rejects a delivery without a valid signature, and stores nothing', async () => {
      const before = inbox(folder);
      const body = `{"id":"forged","type":"decision_room.updated","data":{}}`;
      const signature = sign(body, secret);
      const bad: Record<string, string | undefined> = {
        'no signature': undefined,
        'another body': sign(`${body} `, secret),
        'another secret': sign(body, `whsec_${'x'.repeat(43)}`),
        'too old': sign(body, secret, 310),
        'too early': sign(body, secret, -310),
        'another t': signature.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000) + 5}`),
        'cut short': signature.slice(0, -2),
        'no v1': signature.replace('v1', 'v0'),
        'empty values': 't=,v1=',
        'no number': signature.replace(/t=\d+/, 't=1e9'),
        nonsense: 'x',
      };
      for (const [name, header] of Object.entries(bad)) {
        expect([name, await post(body, header)]).toEqual([name, 400]);
      }
      expect(inbox(folder)).toEqual(before);
    });
  },
);

test('docs/examples/receiver/receiver.mts serves HTTPS with the files of a certificate', async () => {
  const { certificateFile, certificateKeyFile } = currentTestRun();
  await onFreePort(0, async (port) => {
    const { body } = await request(`${api.baseUrl}/webhooks`, adminToken(), {
      method: 'POST',
      body: { url: `https://127.0.0.1:${port}/webhooks`, events: ['call.recorded'] },
    });
    const program = startProgram(copyExamples('receiver'), 'receiver.mts', {
      PORT: String(port),
      WEBHOOK_SECRETS: body.secret,
      TLS_CERT_FILE: certificateFile,
      TLS_KEY_FILE: certificateKeyFile,
    });
    await program.until('the receiver to listen', async () => {
      const socket = connect(port, '127.0.0.1');
      return once(socket, 'connect').then(
        () => Boolean(socket.destroy()),
        () => false,
      );
    });
    const ping = await request(`${api.baseUrl}/webhooks/${body.data.id}/ping`, adminToken(), {
      method: 'POST',
    });
    expect(ping.body.data).toMatchObject({ status: 'delivered' });
  });
});

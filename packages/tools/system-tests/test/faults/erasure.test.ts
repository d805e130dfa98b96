import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { captureBatch } from '@deal-signals/capture/transaction/capture-batch';
import { captureRecord } from '@deal-signals/capture/records/record';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { occurrences } from '@deal-signals/test-kit/occurrences';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { capture, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { randomNumbers } from '@deal-signals/test-kit/worlds/random';
import { openSqlite } from 'deal-signals/stores/sqlite-driver';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '../../../../clients/typescript/test/temporary-folder.ts';
import { createKey, servedRecords } from '../client/api-world.ts';
import { FEEDS, fileCopy, postgresCopy, sqliteCopy } from '../client/copies.ts';
import { run } from '../client/run.ts';
import { adminToken, request } from '../published-api.ts';
import { Poller } from '../system/poller.ts';

const SEED = 20_261_127;
const WRITERS = 8;
const ROOMS = [0, 1, 2, 3].map((n) => uuid(1 + n));
const LINKS = Array.from({ length: 24 }, (_, n) => uuid(100 + n));
const CALLS = [0, 1, 2, 3, 4, 5].map((n) => uuid(200 + n));
const DOCUMENTS = [0, 1, 2, 3].map((n) => uuid(300 + n));
const roomOf = (link: number) => ROOMS[link % ROOMS.length]!;

type Person = { name: string; email: string };

const FIRST = ['Zoë', 'Bjørn', 'Amélie', 'Ken', 'Iñaki', 'Łukasz'];
const LAST = ['Quist', 'Vandermeer', 'Okonkwo', 'Ferreira'];
/** Twelve people. Half of them will be erased. */
const PEOPLE: Person[] = Array.from({ length: 12 }, (_, n) => {
  const [first, last] = [FIRST[n % FIRST.length]!, `${LAST[n % LAST.length]}${'abc'[Math.floor(n / 4)]}`];
  return { name: `${first} ${last}`, email: `${last.toLowerCase()}.${n}@globex.example` };
});
const DOOMED = PEOPLE.slice(0, 6);
const OTHERS = PEOPLE.slice(6);

let database: TestDatabase;
let api: RunningApp;
let worker: RunningApp;
let receivers: [Receiver, Receiver];
let key: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    DISPATCH_TICK_MS: '100',
    DISPATCH_BATCH: '500',
    LOG_LEVEL: 'debug',
    // After 20 failures the endpoint is disabled, and its remaining deliveries wait.
    WEBHOOK_MAX_ATTEMPTS: '2',
    WEBHOOK_RETRY_SCHEDULE_MS: '50',
  };
  await capture(
    db,
    { record: 'company', id: COMPANY, name: 'Acme' },
    { record: 'user', id: 7, name: 'Ann', email: 'ann@acme.example' },
  );
  receivers = await Promise.all([
    startReceiver(),
    // This receiver echoes the body.
    startReceiver({
      respond: { status: 500, body: `refused: ${DOOMED.map(({ email }) => email).join(' ')}` },
    }),
  ]);
  for (const { url } of receivers) await addEndpoint(db, { url });
  [api, worker] = await Promise.all([startApp('api', env), startApp('worker', env)]);
  key = await createKey(api);
  // Attempts are sent in batches. With many deliveries, the first attempts alone would disable the endpoint, and none would be
  // dead.
  await capture(db, { record: 'call', id: uuid(990), kind: 'demo', occurredAt: '2026-09-01', ownerId: 7 });
  await until('a delivery that is dead', () => db.webhookDelivery.findFirst({ where: { status: 'dead' } }));
  await db.$executeRaw`CREATE SCHEMA copy`;
});

afterAll(async () => {
  for (const receiver of receivers) await receiver.close();
  await database.drop();
});

/** Returns a sentence that may name people in one of their usual forms. */
function sentence(pick: <T>(items: readonly T[]) => T, named: readonly Person[]): string {
  const { name, email } = pick(named);
  const [first, last] = name.split(' ') as [string, string];
  return pick([
    `${name} agrees`,
    `Write to ${email.toUpperCase()}, please`,
    `https://crm.example/?mail=${email.replace('@', '%40')}&n=1`,
    `${last}, ${first} was there`,
    `offer-${first}-${last}.pdf`,
    `cc: ${name.toLowerCase()} <${email}>`,
    'Nothing new',
  ]);
}

/** Returns random records. Their texts name the given people, and new links are addressed to them. */
function records(random: (limit: number) => number, unique: string, named: readonly Person[]): ShortRecord[] {
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
  const said = () => sentence(pick, named);
  const at = '2026-09-02T10:00:00Z';
  const link = random(LINKS.length);
  const kinds: (() => ShortRecord)[] = [
    () => ({
      record: 'event',
      key: `${unique} e`,
      type: 'comment',
      occurredAt: at,
      distributionId: LINKS[link]!,
      metadata: { text: said(), to: [pick(named)], n: random(9) },
    }),
    () => ({
      record: 'event',
      key: `${unique} o`,
      type: 'doc_open',
      occurredAt: at,
      distributionId: LINKS[link]!,
      docId: DOCUMENTS[link % 4]!,
    }),
    () => ({
      record: 'view',
      key: `${unique} v`,
      distributionId: LINKS[link]!,
      startedAt: at,
      endedAt: '2026-09-02T10:05:00Z',
      segments: [[0, 1 + random(300)]],
    }),
    () => ({
      record: 'view',
      key: `${unique} d`,
      distributionId: LINKS[link]!,
      docId: DOCUMENTS[link % 4]!,
      startedAt: at,
      endedAt: at,
      seconds: random(99),
    }),
    () => ({
      record: 'message',
      key: `${unique} m`,
      roomId: roomOf(link),
      side: pick(['prospect', 'seller']),
      sentAt: at,
      distributionId: LINKS[link]!,
      text: said(),
    }),
    () => ({
      record: 'callSummary',
      callId: pick(CALLS),
      summary: { headline: said(), keyTakeaways: [said(), said()] },
    }),
    () => ({
      record: 'call',
      id: pick(CALLS),
      title: said(),
      prospectName: pick(named).name,
      participants: [{ ...pick(named), talkSeconds: random(99) }],
    }),
    () => ({
      record: 'room',
      id: pick(ROOMS),
      primaryContactEmail: pick(named).email,
      status: pick(['open', 'won']),
    }),
    () => ({ record: 'member', roomId: pick(ROOMS), ...pick(named), role: pick(['Champion', 'Buyer']) }),
    () => ({ record: 'document', id: DOCUMENTS[link % 4]!, title: said() }),
    () => ({
      record: 'esign',
      id: `c${random(4)}`,
      roomId: ROOMS[0]!,
      vendor: 'v',
      envelopeId: 'e',
      subject: said(),
      status: pick(['sent', 'viewed']),
    }),
  ];
  return Array.from({ length: 1 + random(4) }, () => pick(kinds)());
}

const entriesOf = (all: readonly ShortRecord[]) =>
  all.map((record, place) => ({
    line: place + 1,
    record: captureRecord.parse({ companyId: COMPANY, ...record }),
  }));

/**
 * Captures a world in which everyone appears everywhere: several rooms, links with former recipients, forwards, and people
 * without an address.
 */
async function captureWorld(random: (limit: number) => number): Promise<void> {
  const { db } = database;
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
  await capture(
    db,
    ...ROOMS.map((id, n): ShortRecord => ({
      record: 'room',
      id,
      name: n === 0 ? `Deal of ${DOOMED[0]!.name}` : `Room ${n}`,
      ownerId: 7,
    })),
    ...CALLS.map((id, n): ShortRecord => ({
      record: 'call',
      id,
      kind: 'demo',
      occurredAt: '2026-09-01',
      ownerId: 7,
      durationSeconds: 600,
      roomId: ROOMS[n % 4]!,
    })),
    ...DOCUMENTS.map((id, n): ShortRecord => ({
      record: 'document',
      id,
      roomId: ROOMS[n]!,
      title: `Document ${n}`,
      category: 'c',
    })),
  );
  for (const [n, id] of LINKS.entries()) {
    const { name, email } = PEOPLE[n % PEOPLE.length]!;
    const before = pick(PEOPLE);
    const forwarded = n >= 4 ? { forwardedFromDistributionId: LINKS[n - 4]! } : {};
    const links: ShortRecord = {
      record: 'distribution',
      id,
      roomId: roomOf(n),
      callId: pick(CALLS),
      recipientName: before.name,
      recipientEmail: before.email,
      ...forwarded,
    };
    await capture(db, links, {
      record: 'event',
      key: `first ${n}`,
      type: 'forward',
      occurredAt: '2026-09-01',
      distributionId: id,
      metadata: { to: name },
    });
    // Every sixth recipient has no address.
    await capture(db, {
      record: 'distribution',
      id,
      recipientName: name,
      recipientEmail: n % 6 === 5 ? null : email,
    });
  }
  for (let n = 0; n < 150; n += 1)
    await captureBatch(db, COMPANY, entriesOf(records(random, `w${n}`, PEOPLE)));
}

/** Returns the traces of a person: the address and the name in the usual forms. */
function tracesOf({ name, email }: Person): string[] {
  const [first, last] = name.split(' ') as [string, string];
  return [email, email.replace('@', '%40'), name, `${first}-${last}`, `${last}, ${first}`];
}

test('erases people under eight concurrent writers from every table, log and copy, and no cursor misses a row', async () => {
  const { db } = database;
  const random = randomNumbers(SEED);
  await captureWorld(random);
  const traces = DOOMED.flatMap(tracesOf);
  const copies = [
    sqliteCopy(path.join(temporaryFolder(), 'deals.db')),
    postgresCopy(database.url, 'copy'),
    fileCopy(path.join(temporaryFolder(), 'deals')),
  ] as const;
  const access = { DEAL_SIGNALS_URL: api.baseUrl, DEAL_SIGNALS_API_KEY: key };
  const sync = async () => {
    for (const { target } of copies) {
      expect(await run(['sync', '--to', target], access)).toMatchObject({ exitCode: 0, stderr: '' });
    }
  };
  await sync();
  await until(
    'webhooks that wait, are delivered and are dead',
    async () => (await db.delivery.groupBy({ by: ['status'] })).length === 3,
  );
  const pollers = FEEDS.map((feed) => ({
    feed,
    poller: new Poller(`${api.baseUrl}/${feed}`, key, () => 1 + random(30)),
  }));

  // The writers continue with the other people, and with everyone's links.
  const isOver = new AbortController();
  const failures: unknown[] = [];
  let written = 0;
  const writing = Array.from({ length: WRITERS }, async (_, writer) => {
    const own = randomNumbers(writer + 2);
    for (let n = 0; !isOver.signal.aborted; n += 1) {
      await captureBatch(db, COMPANY, entriesOf(records(own, `x${writer}-${n}`, OTHERS))).catch(
        (error: unknown) => failures.push(error),
      );
      written += 1;
    }
  });
  const polling = pollers.map(async ({ poller }) => {
    while (!isOver.signal.aborted) await poller.page();
  });
  const ids: string[] = [];
  try {
    for (const [n, { email }] of DOOMED.entries()) {
      const [person] = await db.person.findMany({ where: { email }, take: 1 });
      const body =
        n % 2 === 0 || person === undefined ? { email: email.toUpperCase() } : { personId: person.id };
      const { status, body: created } = await request(`${api.url}/console/api/erasures`, adminToken(), {
        method: 'POST',
        body,
      });
      expect(status).toBe(201);
      ids.push(created.data.id);
    }
    // People without an address can only be found by their ids.
    for (const { id } of await db.person.findMany({
      where: { identity: { startsWith: 'link:' }, name: { in: DOOMED.map(({ name }) => name) } },
    })) {
      const { body } = await request(`${api.url}/console/api/erasures`, adminToken(), {
        method: 'POST',
        body: { personId: id },
      });
      ids.push(body.data.id);
    }
    await until(
      'all erasures',
      async () => (await db.erasure.count({ where: { id: { in: ids } } })) === ids.length,
      { timeoutMs: 120_000 },
    );
  } finally {
    // Also needed when an expectation fails, because nothing else ends the writers.
    isOver.abort();
  }
  await Promise.all([...writing, ...polling]);
  expect(failures).toEqual([]);
  expect(written).toBeGreaterThan(WRITERS);

  // Searches every column of every table, the logs of the processes, and every copy.
  for (const trace of traces) expect([trace, await occurrences(db, trace)]).toEqual([trace, []]);
  await sync();
  const [sqlite, , files] = copies;
  const copied = await openSqlite(sqlite.target.replace('sqlite:', ''));
  const tables = copied.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as {
    name: string;
  }[];
  const inSqlite = tables
    .map(({ name }) => JSON.stringify(copied.prepare(`SELECT * FROM "${name}"`).all()))
    .join('\n');
  copied.close();
  const folder = files.target.replace('ndjson:', '');
  const inFiles = readdirSync(folder)
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('\n');
  const client = new Client({ connectionString: copies[1].target });
  await client.connect();
  const { rows } = await client.query(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'copy'`,
  );
  const inPostgres: string[] = [];
  for (const { name } of rows)
    inPostgres.push(JSON.stringify((await client.query(`SELECT t::text FROM "${name}" t`)).rows));
  await client.end();
  const texts = {
    log: api.output() + worker.output(),
    sqlite: inSqlite,
    postgres: inPostgres.join('\n'),
    files: inFiles,
  };
  for (const [place, text] of Object.entries(texts)) {
    const lower = text.toLowerCase();
    expect([place, traces.filter((trace) => lower.includes(trace.toLowerCase()))]).toEqual([place, []]);
    if (place !== 'log') expect(lower).toContain(OTHERS[0]!.email);
  }

  // No cursor has missed a row: repeated rows are in their current state.
  for (const { feed, poller } of pollers) {
    await poller.drain();
    const served = await servedRecords(api, key, feed);
    const seen = feed.startsWith('engagement')
      ? [...poller.seen.keys()].map((id) => [id, served.get(id)] as const)
      : [...poller.seen];
    expect([feed, new Map(seen)]).toEqual([feed, served]);
  }

  // The roll-ups match the rows.
  const rollUps = () => db.$queryRaw`
    SELECT (SELECT jsonb_agg(t ORDER BY room_id) FROM room_totals t) AS totals,
           (SELECT jsonb_agg(t ORDER BY room_id, identity) FROM room_people t WHERE links > 0 OR last_activity_at IS NOT NULL) AS people,
           (SELECT jsonb_agg(t ORDER BY room_id, doc_id, distribution_id, identity) FROM room_readings t) AS readings,
           (SELECT jsonb_agg(t ORDER BY id) FROM people t) AS shown`;
  const kept = await rollUps();
  await db.$queryRaw`SELECT rebuild_room_roll_ups(company_id, array_agg(id)) FROM rooms GROUP BY company_id`;
  expect(await rollUps()).toEqual(kept);

  // Events that are pushed from now on name no erased person.
  for (const receiver of receivers) receiver.requests.length = 0;
  // Its failures disabled it, so the deliveries that are not dead waited. Their number depends on how many attempts were in
  // flight when it was disabled: at least ten, because each dead delivery had two failed attempts.
  const unfinished = await db.delivery.count({
    where: { endpointId: 2, status: { not: 'delivered' } },
  });
  expect(unfinished).toBeGreaterThanOrEqual(10);
  receivers[1].respond(200);
  await request(`${api.baseUrl}/webhooks/2`, adminToken(), { method: 'PATCH', body: { enabled: true } });
  await request(`${api.baseUrl}/webhooks/2/retry-dead`, adminToken(), { method: 'POST' });
  await until('the earlier deliveries', () => receivers[1].requests.length >= unfinished);
  const pushed = receivers
    .flatMap(({ requests }) => requests.map(({ rawBody }) => String(rawBody)))
    .join('\n')
    .toLowerCase();
  expect(traces.filter((trace) => pushed.includes(trace.toLowerCase()))).toEqual([]);
}, 300_000);

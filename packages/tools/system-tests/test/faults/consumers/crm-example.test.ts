import { finishErasures } from '@deal-signals/capture/erasures/keep-erasing';
import type { RunningApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { capture, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKey, servedRecords, startApi } from '../../client/api-world.ts';
import { copyExamples, startProgram } from '../../docs/programs.ts';
import { type Crm, startCrm } from './crm-stand-in.ts';

/** More than two pages of each feed. */
const ROOMS = 230;
const KILLS = 12;
/** An undisturbed run makes fewer requests. */
const REQUESTS_OF_A_RUN = 16;

let database: TestDatabase;
let api: RunningApp;
let crm: Crm;
let folder: string;
let env: Record<string, string>;

const room = (n: number, fields: object = {}): ShortRecord => ({
  record: 'room',
  id: uuid(n),
  name: `Room ${n}`,
  dealValueCents: n * 100 + 50,
  ...fields,
});

/** Returns a member of a room. Every third room has the same person, and every seventh person has no address. */
const member = (n: number): ShortRecord => ({
  record: 'member',
  roomId: uuid(n),
  name: `Person ${n}`,
  ...(n % 7 !== 0 && { email: n % 3 === 0 ? 'same@globex.example' : `p${n}@globex.example` }),
});

beforeAll(async () => {
  database = await createTestDatabase();
  await capture(database.db, { record: 'company', id: COMPANY, name: 'Acme' });
  const numbers = Array.from({ length: ROOMS }, (_, n) => n + 1);
  await capture(database.db, ...numbers.map((n) => room(n)), ...numbers.map((n) => member(n)));
  api = await startApi(database.url);
  crm = await startCrm();
  folder = copyExamples('crm');
  env = {
    DEAL_SIGNALS_URL: api.baseUrl,
    DEAL_SIGNALS_API_KEY: await createKey(api),
    CRM_URL: crm.url,
    CRM_TOKEN: 'crm-token',
    NODE_OPTIONS: '--conditions=source',
  };
});

afterAll(async () => {
  await crm.close();
  await database.drop();
});

/** Runs the program until it ends or is killed. Returns its exit code and its output. */
async function run() {
  const program = startProgram(folder, 'crm.mts', env);
  crm.kill = () => void program.kill();
  return { exitCode: await program.exited, output: program.output() };
}

/** Checks that the CRM has everything that the API serves, once. */
async function expectCopy(): Promise<void> {
  const rooms = await servedRecords(api, env['DEAL_SIGNALS_API_KEY'] ?? '', 'decision-rooms');
  const people = await servedRecords(api, env['DEAL_SIGNALS_API_KEY'] ?? '', 'people');
  const reached = [...people.values()].filter(({ email }) => email !== null);
  expect(
    Object.fromEntries([...crm.deals].map(([id, { properties }]) => [id, properties['amount']])),
  ).toEqual(
    Object.fromEntries(
      [...rooms].map(([id, { dealValueCents }]) => [id, String(Number(dealValueCents) / 100)]),
    ),
  );
  expect([...crm.contacts.keys()].toSorted()).toEqual(
    [...new Set(reached.map(({ email }) => String(email)))].toSorted(),
  );
  expect([...crm.associations].toSorted()).toEqual(
    reached
      .map(({ email, buyerSpaceId }) =>
        [crm.contacts.get(String(email))?.id, crm.deals.get(String(buyerSpaceId))?.id].join(' '),
      )
      .toSorted(),
  );
}

test('docs/examples/crm writes each room and person once, even if it is killed or the CRM is busy', async () => {
  let killed = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const at = crm.requests + 1 + Math.floor(Math.random() * REQUESTS_OF_A_RUN * (kill / KILLS));
    const death = Math.random() < 0.5 ? 'die before' : 'die after';
    crm.disturb = (request) => (request === at ? death : request === at - 2 ? 'busy' : null);
    const { exitCode } = await run();
    // Null if it was killed, or 0 if it had less to do. Nothing else ends it.
    expect([null, 0]).toContain(exitCode);
    if (exitCode === null) killed += 1;
    await capture(
      database.db,
      room(kill, { dealValueCents: kill }),
      room(ROOMS + kill),
      member(ROOMS + kill),
    );
  }
  expect(killed).toBeGreaterThan(0);
  crm.disturb = null;
  expect(await run()).toEqual({ exitCode: 0, output: '' });
  await expectCopy();
  const { requests } = crm;
  expect(await run()).toEqual({ exitCode: 0, output: '' });
  // It had nothing to do except to look up its properties.
  expect(crm.requests).toBe(requests + 2);
});

test('docs/examples/crm deletes the contact of an erased person, but not that of a later person with the same address', async () => {
  crm.disturb = null;
  await run();
  const [first, second] = ['p1@globex.example', 'p2@globex.example'];
  const before = crm.contacts.get(first)?.id;
  expect([before, crm.contacts.has(second)]).toEqual([expect.any(String), true]);
  await capture(
    database.db,
    ...[first, second].map((email): ShortRecord => ({ record: 'erasePerson', email })),
  );
  await finishErasures(database.db);
  await capture(database.db, member(1));
  // The program is killed after it has deleted one of them.
  const { requests } = crm;
  crm.disturb = (request) => (request === requests + 5 ? 'die after' : null);
  await run();
  crm.disturb = null;
  expect(await run()).toEqual({ exitCode: 0, output: '' });
  expect(crm.contacts.get(first)?.id).not.toBe(before);
  expect([crm.contacts.has(first), crm.contacts.has(second)]).toEqual([true, false]);
  await expectCopy();
});

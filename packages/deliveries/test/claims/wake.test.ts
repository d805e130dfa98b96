import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import { addDeliveries, addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { claimReady, claimReadyAlone } from '../../src/claims/claim-ready.ts';
import { WAKE_CHANNEL, WAKE_LOCK } from '../../src/claims/wake.ts';

const LIMITS = { batch: 50, endpointLimit: 50, workspaceLimit: 50, leaseMs: 30_000 };

let database: TestDatabase;
let endpointId: number;
beforeEach(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
  endpointId = await addEndpoint(database.db);
});
afterEach(() => database.drop());

test('a dispatcher that is woken claims nothing while another one claims, and a tick claims all the same', async () => {
  const { db } = database;
  await addDeliveries(db, endpointId, 2);
  await db.transaction(async (tx) => {
    expect((await claimReadyAlone(tx, { ...LIMITS, batch: 1 })).claims).toHaveLength(1);
    expect((await db.queryTransaction((other) => claimReadyAlone(other, LIMITS))).claims).toEqual([]);
    expect((await claimReady(db, LIMITS)).claims).toHaveLength(1);
  });
});

test.each([
  ['no notification is sent while no dispatcher listens', [], ['the last one']],
  [
    'a listening dispatcher is notified once for each commit',
    [`SELECT pg_advisory_lock_shared(${WAKE_LOCK})`],
    ['', 'the last one'],
  ],
])('%s', async (_, prepare, expected) => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const heard: (string | undefined)[] = [];
    client.on('notification', ({ payload }) => heard.push(payload));
    for (const statement of prepare) await client.query(statement);
    await client.query(`LISTEN ${WAKE_CHANNEL}`);
    const ids = await addDeliveries(database.db, endpointId, 3);
    expect(ids).toHaveLength(3);
    await database.db.$executeRaw`SELECT pg_notify(${WAKE_CHANNEL}, 'the last one')`;
    await until('the notification of the test', () => heard.includes('the last one'));
    expect(heard).toEqual(expected);
  } finally {
    await client.end();
  }
});

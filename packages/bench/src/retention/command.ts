import { parseArgs } from 'node:util';
import { Database } from '@deal-signals/db/database';
import { Client } from 'pg';
import { addBenchEndpoint, addWorkspace } from '../data/delivery-workspaces.ts';
import { quantile } from '../measure/spread.ts';
import { LARGE_TABLE_SETTINGS, startBenchStack } from '../stack/bench-stack.ts';
import { fillHistory } from './history.ts';
import { type Latencies, putUnderLoad, startReceiver } from './load.ts';
import { countUpdates, tableSizes } from './tables.ts';

// `pnpm bench:retention`: how large the tables of deliveries and their indexes are, which updates write no index, and what removing
// old deliveries costs those who capture and deliver meanwhile. The result goes to standard output, the progress to standard error.

const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '2000000' },
    workspaces: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '30' },
    pace: { type: 'string', default: '20' },
    turns: { type: 'string', default: '3' },
  },
});
const [deliveries, workspaces, seconds, perSecond, turns] = (
  ['deliveries', 'workspaces', 'seconds', 'pace', 'turns'] as const
).map((name) => {
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} must be a whole number above 0`);
  return value;
}) as [number, number, number, number, number];

/** Twice as far back as deliveries are kept, so that half of them are old. */
const DAYS = 180;
const WORKER = {
  DISPATCH_WAKE: 'true',
  DISPATCH_TICK_MS: '1000',
  DISPATCH_BATCH: '500',
  DISPATCH_ENDPOINT_LIMIT: '1000',
};

const startedMs = performance.now();
const say = (line: string) =>
  void process.stderr.write(
    `[${((performance.now() - startedMs) / 1_000).toFixed(0).padStart(4)} s] ${line}\n`,
  );
const megabytes = (bytes: number) => (bytes / 1_048_576).toFixed(1);
const inAll = (all: readonly Latencies[], kind: keyof Latencies) => all.flatMap((one) => one[kind]);

const stack = await startBenchStack(say, LARGE_TABLE_SETTINGS);
try {
  const databaseUrl = await stack.createDatabase('retention');
  const db = new Database({
    url: databaseUrl,
    poolSize: 20,
    // On a busy machine, a slow turn is a result and not an error.
    acquireTimeoutMs: 60_000,
    applicationName: 'bench',
    statementTimeoutMs: 60_000,
  });
  const receiver = await startReceiver(stack);
  say(`adding ${workspaces} workspaces`);
  for (let companyId = 1; companyId <= workspaces; companyId += 1) {
    await addWorkspace(db, companyId);
    await addBenchEndpoint(db, companyId, receiver.url);
  }
  await fillHistory({ databaseUrl, deliveries, workspaces, days: DAYS, say });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();

  console.log('table                      rows      table MB   index MB   index/table');
  for (const { table, rows, bytes, indexBytes, indexes } of await tableSizes(client)) {
    const columns = [
      table.padEnd(26),
      String(rows).padEnd(9),
      megabytes(bytes).padEnd(10),
      megabytes(indexBytes).padEnd(10),
    ];
    console.log(`${columns.join(' ')} ${(indexBytes / bytes).toFixed(2)}`);
    if (table === 'webhook_deliveries')
      for (const one of indexes) console.log(`  ${one.name}: ${megabytes(one.bytes)} MB`);
  }

  const without: Latencies[] = [];
  const during: Latencies[] = [];
  const before = await countUpdates(client);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [kind, days] of [
      ['without', '0'],
      ['during', '90'],
    ] as const) {
      const worker = await stack.startApp('worker', databaseUrl, { ...WORKER, RETENTION_DAYS: days });
      await putUnderLoad(db, { turn: `${turn} ${kind} first`, workspaces, seconds: 5, perSecond });
      const removed = await removedRows(client);
      const latencies = await putUnderLoad(db, { turn: `${turn} ${kind}`, workspaces, seconds, perSecond });
      (kind === 'without' ? without : during).push(latencies);
      say(`turn ${turn + 1}, ${kind} retention: ${(await removedRows(client)) - removed} deliveries removed`);
      await worker.stop();
    }
  }
  const after = await countUpdates(client);

  console.log('\nupdates while deliveries were captured, claimed, begun and recorded');
  for (const [n, { table, updates, hot }] of after.entries()) {
    const made = updates - before[n]!.updates;
    const share = made === 0 ? '' : `, ${((100 * (hot - before[n]!.hot)) / made).toFixed(0)} %`;
    if (made > 0) console.log(`${table.padEnd(26)} ${hot - before[n]!.hot} HOT of ${made}${share}`);
  }
  console.log(
    `\nlatencies, ${turns} turns of ${seconds} s at ${perSecond} events/s, in ms: without, during, ratio`,
  );
  for (const kind of ['captures', 'deliveries'] as const) {
    for (const share of [0.5, 0.95, 0.99]) {
      const [a, b] = [quantile(inAll(without, kind), share), quantile(inAll(during, kind), share)];
      console.log(
        `${kind.padEnd(10)} p${share * 100}: ${a.toFixed(1)}, ${b.toFixed(1)}, ${(b / a).toFixed(2)}`,
      );
    }
  }
  const { rows } = await client.query<{ old: string; orphans: string }>(`
    SELECT count(*) FILTER (WHERE status <> 'pending' AND created_at < now() - interval '90 days') AS old,
      (SELECT count(*) FROM webhook_events AS e WHERE NOT EXISTS (
        SELECT FROM webhook_deliveries AS d WHERE d.company_id = e.company_id AND d.event_id = e.id)) AS orphans
    FROM webhook_deliveries`);
  console.log(
    `\n${await removedRows(client)} deliveries removed, ${rows[0]!.old} old ones left, ${rows[0]!.orphans} events without a delivery`,
  );
  await client.end();
  receiver.close();
  await db.close();
} finally {
  await stack.close();
}

async function removedRows(client: Client): Promise<number> {
  const { rows } = await client.query<{ removed: string }>(
    `SELECT n_tup_del AS removed FROM pg_stat_user_tables WHERE relname = 'webhook_deliveries'`,
  );
  return Number(rows[0]!.removed);
}

import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Database } from '@deal-signals/db/database';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { runCommand } from '@deal-signals/local-stack/processes/run-command';
import { findFreePort } from '@deal-signals/local-stack/servers/ports';
import type { BenchContext } from '../context.ts';
import { addBenchEndpoint, addWorkspace } from '../data/delivery-workspaces.ts';
import { engagementEvent } from '../data/engagement-event.ts';
import type { RecordSenderOptions, Sending, Sent } from '../loader/record-sender-process.ts';
import { cpuPerUnit, readCpu } from '../measure/cpu.ts';
import { monotonicMs } from '../measure/monotonic.ts';
import { type Contestant, cpuOf, ratioOf, type Sample, takeTurns, valuesOf } from '../measure/rounds.ts';
import { quantile, spreadOf } from '../measure/spread.ts';
import type { Row } from '../report/row.ts';
import type { BenchApp } from '../stack/bench-stack.ts';
import type { Child } from '../stack/child.ts';

const TOKEN = 'the-capture-token-of-the-bench-run';
const CONNECTIONS = 20;
const PER_SECOND = 400;
/** Half, so that nothing piles up before it is measured. */
const WARM_UP_PER_SECOND = PER_SECOND / 2;
/** A request holds this many times the events of the bulk capture: 200,000 by default. */
const BULKS = 10;
const [SENT, COMMANDED] = [201, 202];
const NOWHERE = 'https://127.0.0.1:1/';
const COMMAND = path.join(REPOSITORY_ROOT, 'packages/local-stack/src/commands/capture.ts');
const MEMORY_INTERVAL_MS = 200;
const MIB = 1_024 * 1_024;

interface HttpScene {
  databaseUrl: string;
  api: BenchApp;
  sender: Child<Sending, Sent>;
  /** Workspaces with one subscriber each. */
  companies: number[];
  close(): Promise<void>;
}

/** Measures capture over HTTP: one record a request at a pace, and many records in a request next to the command. */
export async function measureCaptureHttp(context: BenchContext): Promise<Row[]> {
  const scene = await openScene(context);
  try {
    const { companies } = scene;
    const rows: Row[] = [];
    // Requests of one workspace share transactions, those of several do not.
    for (const workspaces of [1, companies.length]) {
      rows.push(...(await measurePace(context, scene, companies.slice(0, workspaces))));
    }
    // Last: afterwards, autovacuum works on what it has written.
    rows.push(...(await measureBulk(context, scene)));
    return rows;
  } finally {
    await scene.close();
  }
}

async function openScene({ stack }: BenchContext): Promise<HttpScene> {
  const databaseUrl = await stack.createDatabase('capture_http');
  const db = new Database({
    url: databaseUrl,
    poolSize: 1,
    applicationName: 'bench',
    statementTimeoutMs: 600_000,
  });
  const companies = Array.from({ length: CONNECTIONS }, (_, n) => n + 1);
  for (const companyId of companies) {
    await addWorkspace(db, companyId);
    await addBenchEndpoint(db, companyId, NOWHERE);
  }
  for (const companyId of [SENT, COMMANDED]) await addWorkspace(db, companyId);
  await db.close();
  const port = await findFreePort(0);
  const api = await stack.startApp('api', databaseUrl, {
    CAPTURE_PORT: String(port),
    CAPTURE_TOKENS: TOKEN,
  });
  const senderOptions: RecordSenderOptions = {
    url: `http://127.0.0.1:${port}`,
    token: TOKEN,
    connections: CONNECTIONS,
  };
  const sender = await stack.startChild<Sending, Sent>(
    new URL('../loader/record-sender-process.ts', import.meta.url),
    senderOptions,
  );
  return {
    databaseUrl,
    api,
    sender,
    companies,
    async close() {
      await Promise.all([sender.stop(), api.stop()]);
    },
  };
}

/** Many records in one request, next to the command with the same file. */
async function measureBulk(
  { stack, options, say }: BenchContext,
  { databaseUrl, api, sender }: HttpScene,
): Promise<Row[]> {
  const count = BULKS * options.bulk;
  const title = `capture of ${count.toLocaleString('en')} events in one request`;
  const growths: number[] = [];
  let files = 0;

  async function turn(companyId: number, run: (file: string) => Promise<void>): Promise<Sample> {
    const name = `file ${(files += 1)}`;
    const file = path.join(stack.folder, `${name}.ndjson`);
    const lines = Array.from({ length: count }, (_, n) =>
      JSON.stringify(engagementEvent(companyId, `${name} ${n}`, n)),
    );
    await writeFile(file, `${lines.join('\n')}\n`);
    const processes = { API: api.pid, PostgreSQL: stack.postgresPid };
    const before = readCpu(processes);
    const startedAtMs = monotonicMs();
    await run(file);
    const elapsedMs = monotonicMs() - startedAtMs;
    return { value: (count * 1_000) / elapsedMs, cpuMs: cpuPerUnit(before, readCpu(processes), count) };
  }

  const contestants: Contestant[] = [
    {
      name: 'product',
      run: () =>
        turn(SENT, async (file) => {
          const memory = watchMemory(api.pid);
          const { captured } = await sender.ask({ file });
          growths.push(memory.growthMib());
          if (captured !== count) throw new Error(`${title}: ${captured} of ${count} were captured`);
        }),
    },
    {
      name: 'command',
      run: () =>
        turn(COMMANDED, async (file) => {
          const { exitCode, output } = await runCommand(
            process.execPath,
            ['--conditions=source', '--import', 'tsx', COMMAND, file],
            { environment: { ...process.env, DATABASE_URL: databaseUrl }, directory: REPOSITORY_ROOT },
          );
          if (exitCode !== 0) throw new Error(`${title}: ${output}`);
        }),
    },
  ];
  say(title);
  // A turn is as long as all turns of most other rows together.
  const samples = await takeTurns(contestants, 1);
  const rows = contestants.map(({ name }): Row => ({
    group: 'capture-http',
    path: title,
    contestant: name,
    unit: 'events/s',
    value: valuesOf(samples, name),
    cpuMs: cpuOf(samples, name),
    ...(name === 'product' && { ratio: { ...ratioOf(samples, name, 'command'), to: 'command' } }),
    targets: name === 'product' ? [{ of: 'ratio', atLeast: 0.8 }] : [],
    notes: name === 'command' ? ['With the start of its process; its own CPU time is not counted.'] : [],
  }));
  const measured = growths.filter((growth) => !Number.isNaN(growth));
  if (measured.length === 0) return rows;
  return [
    ...rows,
    {
      group: 'capture-http',
      path: title,
      contestant: 'memory',
      unit: 'MiB more in the second half',
      value: spreadOf(measured),
      cpuMs: {},
      targets: [{ of: 'value', atMost: 64 }],
      notes: [],
    },
  ];
}

/** Compares the memory that a process has at most in the first and in the second half of a measurement. */
function watchMemory(pid: number): { growthMib(): number } {
  const file = `/proc/${pid}/status`;
  const samples: number[] = [];
  const timer = setInterval(() => {
    if (!existsSync(file)) return;
    samples.push((Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8'))?.[1]) * 1_024) / MIB);
  }, MEMORY_INTERVAL_MS);
  return {
    growthMib() {
      clearInterval(timer);
      const middle = Math.floor(samples.length / 2);
      // Too short to have two halves.
      if (middle === 0) return Number.NaN;
      return Math.max(0, Math.max(...samples.slice(middle)) - Math.max(...samples.slice(0, middle)));
    },
  };
}

/** One event a request at a pace that nothing slows down. */
async function measurePace(
  { stack, options, say }: BenchContext,
  { api, sender }: HttpScene,
  companies: number[],
): Promise<Row[]> {
  const workspaces = companies.length === 1 ? '1 workspace' : `${companies.length} workspaces`;
  const title = `capture at ${PER_SECOND} requests a second, ${CONNECTIONS} connections, ${workspaces}`;
  const count = Math.ceil((PER_SECOND * options.pacedMs) / 1_000);
  const p50: number[] = [];
  const p95: number[] = [];
  const failures: number[] = [];
  const cpu: Sample[] = [];
  say(`${title}: warming up`);
  await sender.ask({
    name: `warm up ${workspaces}`,
    companies,
    count: options.warmUp,
    perSecond: WARM_UP_PER_SECOND,
  });
  for (let round = 1; round <= options.deliveryRounds; round += 1) {
    say(`${title}: round ${round} of ${options.deliveryRounds}`);
    const processes = { API: api.pid, PostgreSQL: stack.postgresPid };
    const before = readCpu(processes);
    const sent = await sender.ask({
      name: `${workspaces} ${round}`,
      companies,
      count,
      perSecond: PER_SECOND,
    });
    cpu.push({ value: 0, cpuMs: cpuPerUnit(before, readCpu(processes), count) });
    p50.push(quantile(sent.durationsMs, 0.5));
    p95.push(quantile(sent.durationsMs, 0.95));
    failures.push(count - sent.captured);
  }
  const row = (contestant: string, unit: string, values: number[]): Row => ({
    group: 'capture-http',
    path: title,
    contestant,
    unit,
    value: spreadOf(values),
    cpuMs: {},
    targets: [],
    notes: [],
  });
  return [
    { ...row('p50', 'ms', p50), cpuMs: cpuOf(new Map([['cpu', cpu]]), 'cpu') },
    { ...row('p95', 'ms', p95), targets: [{ of: 'value', below: 25 }] },
    { ...row('failed', 'requests', failures), targets: [{ of: 'value', atMost: 0 }] },
  ];
}

import type { BenchContext } from '../context.ts';
import { cpuPerUnit, type Processes, readCpu } from '../measure/cpu.ts';
import { monotonicMs } from '../measure/monotonic.ts';
import { type Contestant, cpuOf, ratioOf, type Sample, takeTurns, valuesOf } from '../measure/rounds.ts';
import { quantile, spreadOf } from '../measure/spread.ts';
import type { Row } from '../report/row.ts';
import { type CaptureScene, openCaptureScene, WRITERS } from './capture-scene.ts';

const PACES = [200, 400];
const EVENTS_PER_TRANSACTION = 1_000;
const BULK = [
  { subscribers: 'no subscriber', target: 0.25 },
  { subscribers: 'one subscriber', target: 0.12 },
] as const;

/** Measures capture: one event a transaction, at a given pace, and in bulk. */
export async function measureCaptures(context: BenchContext): Promise<Row[]> {
  const scene = await openCaptureScene(context);
  try {
    await warmUp(context, scene);
    return [
      ...(await measureSingles(context, scene, 1)),
      ...(await measureSingles(context, scene, WRITERS)),
      ...(await measurePaces(context, scene)),
      ...(await measureBulk(context, scene, BULK[0])),
      ...(await measureBulk(context, scene, BULK[1])),
    ];
  } finally {
    await scene.close();
  }
}

let names = 0;

/** A name that no earlier publication has. */
function newName(): string {
  return `run ${(names += 1)}`;
}

async function warmUp({ options, say }: BenchContext, scene: CaptureScene): Promise<void> {
  const { companies, recorded: captures } = scene;
  const count = options.warmUp;
  say('capture: warming up');
  await scene.publisher.ask({ name: newName(), companies, count, pace: { writers: true } });
  await scene.replayer.ask({ name: newName(), captures, count });
}

/** One event a transaction, as fast as the writers can. */
async function measureSingles(
  { stack, options, say }: BenchContext,
  scene: CaptureScene,
  writers: number,
): Promise<Row[]> {
  const { publisher, replayer } = scene;
  const companies = scene.companies.slice(0, writers);
  const captures = scene.recorded.slice(0, writers);
  const path = `capture, one event a transaction, ${writers} ${writers === 1 ? 'writer' : 'writers'}`;

  /** Runs a turn and checks how many events and webhook events are stored afterwards. */
  async function turn(processes: Processes, run: (count: number) => Promise<number>): Promise<Sample> {
    const count = options.singles;
    const stored = await countStored(scene);
    const before = readCpu(processes);
    const elapsedMs = await run(count);
    const cpuMs = cpuPerUnit(before, readCpu(processes), count);
    requireStored(path, stored, await countStored(scene), count);
    return { value: (count * 1_000) / elapsedMs, cpuMs };
  }

  const contestants: Contestant[] = [
    {
      name: 'product',
      run: () =>
        turn({ publisher: publisher.pid, PostgreSQL: stack.postgresPid }, async (count) => {
          const pace = { writers: true } as const;
          const published = await publisher.ask({ name: newName(), companies, count, pace });
          const [failure] = published.failures;
          if (failure !== undefined) throw new Error(`${path}: ${failure}`);
          return published.endedAtMs - published.startedAtMs;
        }),
    },
    {
      name: 'floor',
      run: () =>
        turn(
          { floor: replayer.pid, PostgreSQL: stack.postgresPid },
          async (count) => (await replayer.ask({ name: newName(), captures, count })).elapsedMs,
        ),
    },
  ];
  say(`${path}: warming up`);
  for (const { run } of contestants) await run();
  const samples = await takeTurns(contestants, options.rounds, (round) =>
    say(`${path}: round ${round} of ${options.rounds}`),
  );
  return contestants.map(({ name }) => ({
    group: 'capture',
    path,
    contestant: name,
    unit: 'captures/s',
    value: valuesOf(samples, name),
    cpuMs: cpuOf(samples, name),
    ...(name === 'product' && { ratio: { ...ratioOf(samples, name, 'floor'), to: 'floor' } }),
    targets: name === 'product' ? [{ of: 'ratio', atLeast: 0.5 }] : [],
    notes:
      name === 'floor' ? [`The floor sends the same ${captures[0]?.statements.length ?? 0} statements.`] : [],
  }));
}

async function countStored({ db }: CaptureScene): Promise<[number, number]> {
  return [await db.engagementEvent.count(), await db.webhookEvent.count()];
}

function requireStored(path: string, before: number[], after: number[], count: number): void {
  const added = after.map((total, n) => total - (before[n] ?? 0));
  if (added.some((rows) => rows !== count)) {
    throw new Error(
      `${path}: ${count} events were captured, but these numbers of rows were stored: ${added.join(', ')}`,
    );
  }
}

/** One event a transaction at a pace that nothing slows down. */
async function measurePaces({ stack, options, say }: BenchContext, scene: CaptureScene): Promise<Row[]> {
  const rows: Row[] = [];
  for (const perSecond of PACES) {
    const path = `capture at ${perSecond} a second, ${WRITERS} workspaces`;
    const p50: number[] = [];
    const p95: number[] = [];
    const failures: number[] = [];
    const cpu: Sample[] = [];
    for (let round = 1; round <= options.deliveryRounds; round += 1) {
      say(`${path}: round ${round} of ${options.deliveryRounds}`);
      const processes = { publisher: scene.publisher.pid, PostgreSQL: stack.postgresPid };
      const before = readCpu(processes);
      const published = await scene.publisher.ask({
        name: newName(),
        companies: scene.companies,
        count: Math.ceil((perSecond * options.pacedMs) / 1_000),
        pace: { perSecond },
      });
      const { durationsMs } = published;
      cpu.push({ value: 0, cpuMs: cpuPerUnit(before, readCpu(processes), durationsMs.length) });
      p50.push(quantile(durationsMs, 0.5));
      p95.push(quantile(durationsMs, 0.95));
      failures.push(published.failures.length);
    }
    const row = (contestant: string, unit: string, values: number[]): Row => ({
      group: 'capture',
      path,
      contestant,
      unit,
      value: spreadOf(values),
      cpuMs: {},
      targets: [],
      notes: [],
    });
    rows.push(
      { ...row('p50', 'ms', p50), cpuMs: cpuOf(new Map([['cpu', cpu]]), 'cpu') },
      row('p95', 'ms', p95),
      { ...row('failed', 'captures', failures), targets: [{ of: 'value', atMost: 0 }] },
    );
  }
  return rows;
}

/** Many events, 1,000 a transaction, next to COPY of the rows that this has written. */
async function measureBulk(
  { stack, options, say }: BenchContext,
  scene: CaptureScene,
  { subscribers, target }: (typeof BULK)[number],
): Promise<Row[]> {
  const { publisher, copier } = scene;
  const { from, to, toEndpoint } = scene.bulk[subscribers];
  const count = options.bulk;
  const path = `capture of ${count.toLocaleString('en')} events, ${subscribers}`;
  const product: Sample[] = [];
  const floor: Sample[] = [];
  for (let round = 1; round <= options.deliveryRounds; round += 1) {
    say(`${path}: round ${round} of ${options.deliveryRounds}`);
    const name = newName();
    const [row] = await scene.db.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
    product.push(
      await timed({ publisher: publisher.pid, PostgreSQL: stack.postgresPid }, count, async () => {
        await publisher.ask({
          name,
          companies: [from],
          count,
          pace: { perTransaction: EVENTS_PER_TRANSACTION },
        });
      }),
    );
    await copier.ask({ read: { from, to, toEndpoint, keysLike: `${name} %`, since: row.now } });
    floor.push(
      await timed({ copier: copier.pid, PostgreSQL: stack.postgresPid }, count, async () => {
        const { rows } = await copier.ask({ write: true });
        // A wrong number of rows means that the product has not stored what it should have.
        if (rows.some((copied) => copied !== count))
          throw new Error(`${path}: copied ${rows.join(', ')} rows`);
      }),
    );
  }
  const samples = new Map([
    ['product', product],
    ['COPY', floor],
  ]);
  return ['product', 'COPY'].map((name) => ({
    group: 'capture',
    path,
    contestant: name,
    unit: 'events/s',
    value: valuesOf(samples, name),
    cpuMs: cpuOf(samples, name),
    ...(name === 'product' && { ratio: { ...ratioOf(samples, name, 'COPY'), to: 'COPY' } }),
    targets: name === 'product' ? [{ of: 'ratio', atLeast: target }] : [],
    notes: [],
  }));
}

async function timed(processes: Processes, count: number, run: () => Promise<void>): Promise<Sample> {
  const before = readCpu(processes);
  const startedAtMs = monotonicMs();
  await run();
  const elapsedMs = monotonicMs() - startedAtMs;
  return { value: (count * 1_000) / elapsedMs, cpuMs: cpuPerUnit(before, readCpu(processes), count) };
}

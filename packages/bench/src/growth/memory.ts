import type { BenchContext } from '../context.ts';
import { deliver, WORKER_SETTINGS } from '../contestants/deliveries.ts';
import { openDeliveryScene } from '../contestants/delivery-scene.ts';
import { idOf } from '../data/large-feed.ts';
import type { ExpectedResponse } from '../loader/loader-process.ts';
import { memoryDuring, readMemory } from '../measure/memory.ts';
import { quantile, spreadOf } from '../measure/spread.ts';
import type { Row } from '../report/row.ts';
import { costRow } from './compare-sizes.ts';
import { expectResponse, type FeedApi, openFeedApi } from './feed-api.ts';
import { startLoader } from './load-turn.ts';

const GROUP = 'growth-memory';
const UNIT = 'MiB';
const LIMIT = 1.2;
const LONGEST_LOAD_MS = 3_600_000;
const PAGE_ROWS = 10;
/** Requests that differ, so that whatever is kept for each of them would be seen. */
const DIFFERENT_REQUESTS = 1_000;
/** Deliveries that are published and awaited together. */
const CHUNK = 5_000;
/** The share of the work during whose end the memory is read. */
const READING = 10;

/** Measures the memory of an API after many requests. */
export async function measureApiMemory(context: BenchContext): Promise<Row[]> {
  if (!canReadMemory(context)) return [];
  const { stack, options } = context;
  const { requests: many, fewRequests: few, fewEvents } = options.growth;
  const feed = await openFeedApi(context, 'growth_requests', fewEvents);
  const loader = await startLoader(stack);
  const load = {
    origin: feed.api.url,
    headers: feed.headers,
    requests: await differentRequests(feed),
    connections: options.connections,
    durationMs: LONGEST_LOAD_MS,
  };
  const rows = await measureMemory(context, {
    path: 'memory of the API',
    what: 'requests',
    pid: feed.api.pid,
    few,
    many,
    async work(count) {
      const { responses } = await loader.ask({ ...load, mostRequests: count });
      if (responses !== count) throw new Error(`${responses} of ${count} responses`);
    },
  });
  await Promise.all([feed.close(), loader.stop()]);
  return rows;
}

async function differentRequests(feed: FeedApi): Promise<ExpectedResponse[]> {
  const requests: ExpectedResponse[] = [];
  const last = feed.events - PAGE_ROWS;
  for (let n = 0; n < Math.min(DIFFERENT_REQUESTS, last); n += 1) {
    const number = 1 + Math.floor((n * last) / DIFFERENT_REQUESTS);
    const after = idOf(number, feed.events);
    const path = `/api/v1/engagement/events?limit=${PAGE_ROWS}&cursor=${after}`;
    requests.push(
      await expectResponse(feed, path, (body) => {
        const { data } = body as { data: { id: string }[] };
        if (data.length === PAGE_ROWS && data[0]?.id === String(idOf(number + 1, feed.events))) return;
        throw new Error(`wrong response to ${path}: ${data.length} events from ${data[0]?.id}`);
      }),
    );
  }
  return requests;
}

/** Measures the memory of a worker after many deliveries. */
export async function measureWorkerMemory(context: BenchContext): Promise<Row[]> {
  if (!canReadMemory(context)) return [];
  const { deliveries: many, fewDeliveries: few } = context.options.growth;
  const scene = await openDeliveryScene(context, 'growth_deliveries');
  try {
    await scene.setWorkers(1, WORKER_SETTINGS);
    return await measureMemory(context, {
      path: 'memory of the worker',
      what: 'deliveries',
      pid: scene.processes()['worker'] ?? 0,
      few,
      many,
      async work(count) {
        for (let done = 0; done < count; done += CHUNK) {
          await deliver(scene, scene.companies, Math.min(CHUNK, count - done));
        }
      },
    });
  } finally {
    await scene.close();
  }
}

function canReadMemory({ say }: BenchContext): boolean {
  const isReadable = readMemory(process.pid) !== null;
  if (!isReadable) say('this machine has no /proc, so memory is not measured');
  return isReadable;
}

interface MemoryPath {
  path: string;
  what: string;
  pid: number;
  few: number;
  many: number;
  work: (count: number) => Promise<void>;
}

/** Works until `few` and then `many` units are done, and reads the memory of the process during the end of each stretch. */
async function measureMemory(
  { say }: BenchContext,
  { path, what, pid, few, many, work }: MemoryPath,
): Promise<Row[]> {
  const reading = Math.ceil(few / READING);
  const readings: { name: string; samples: number[] }[] = [];
  let done = 0;
  for (const count of [few, many]) {
    const name = `after ${count.toLocaleString('en')} ${what}`;
    say(`${path}: until ${name}`);
    await work(count - reading - done);
    readings.push({ name, samples: await memoryDuring(pid, work(reading)) });
    done = count;
  }
  const base = readings[0]!;
  const baseMiB = quantile(base.samples, 0.5);
  return readings.map(({ name, samples }) => ({
    ...costRow({ group: GROUP, path, unit: UNIT }, name),
    value: spreadOf(samples),
    cpuMs: {},
    ...(name !== base.name && {
      ratio: { ...spreadOf(samples.map((mib) => mib / baseMiB)), to: base.name },
    }),
    targets: name === base.name ? [] : [{ of: 'ratio', atMost: LIMIT }],
  }));
}

import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { captureRecords } from '@deal-signals/capture/stream/capture-records';
import { type CaptureInput, captureRecord } from '@deal-signals/capture/records/record';
import type { Database } from '@deal-signals/db/database';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import type { RunningApp } from '@deal-signals/test-kit/processes';
import { parseScrape } from '@deal-signals/test-kit/prometheus-text';
import { until } from '@deal-signals/test-kit/until';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';

/** What an intended user of the service observed for a while. */
export interface Observation {
  /** 95th percentile of the duration of a read. */
  readsP95Ms: number;
  /** Longest duration of a read. */
  readsWorstMs: number;
  /** Longest time from the commit of a change to the arrival of its webhook. */
  webhookWorstMs: number;
  /** Reads that did not get a 200, and failed readiness probes. */
  failures: string[];
  /** Maximum resident memory, in MiB. */
  apiMemory: number;
  workerMemory: number;
}

export interface Bystander {
  /** Reads, captures and probes for a while. */
  observe(forMs: number): Promise<Observation>;
  close(): Promise<void>;
}

/** The workspace of the bystander. */
const companyId = 2;
const ROOM = uuid(1);
const EVENTS = 200;
const PATHS = [
  '/engagement/events?limit=100',
  '/status',
  '/decision-rooms?limit=50',
  `/decision-rooms/${ROOM}/metrics`,
];
const READ_PAUSE_MS = 10;
const CAPTURE_PAUSE_MS = 400;
const PROBE_PAUSE_MS = 250;
const MIB = 1024 * 1024;

/** Adds a workspace with some data, an API key and an endpoint, which its owner uses at a moderate rate. */
export async function startBystander(db: Database, api: RunningApp, worker: RunningApp): Promise<Bystander> {
  const receiver = await startReceiver();
  await captureWorkspace(db);
  await addEndpoint(db, { companyId, url: receiver.url, events: ['decision_room.updated'] });
  const key = await addKey(db, companyId);
  const agent = new Agent({ keepAlive: true });
  const read = (url: string) => timedGet(agent, url, { authorization: `Bearer ${key}` });
  let dealValueCents = 0;

  /** Changes the room and waits for the webhook with the new value. */
  async function pushOnce(): Promise<number> {
    dealValueCents += 100;
    const expected = `"dealValueCents":${dealValueCents},`;
    await capture(db, [{ record: 'room', companyId, id: ROOM, name: 'Calm', dealValueCents }]);
    const committedAt = performance.now();
    await until('the change of the bystander is pushed', () => hasArrived(receiver, expected));
    return performance.now() - committedAt;
  }

  return {
    async observe(forMs) {
      const reads: number[] = [];
      const pushes: number[] = [];
      const failures: string[] = [];
      const memory = { api: 0, worker: 0 };
      const endMs = performance.now() + forMs;
      const repeat = async (pauseMs: number, step: () => Promise<void>) => {
        do {
          await step();
          await sleep(pauseMs);
        } while (performance.now() < endMs);
      };
      let turn = 0;
      await Promise.all([
        repeat(READ_PAUSE_MS, async () => {
          const path = PATHS[turn++ % PATHS.length]!;
          const { status, durationMs } = await read(`${api.baseUrl}${path}`);
          reads.push(durationMs);
          if (status !== 200) failures.push(`${status} ${path}`);
        }),
        repeat(CAPTURE_PAUSE_MS, async () => void pushes.push(await pushOnce())),
        repeat(PROBE_PAUSE_MS, async () => {
          for (const app of [api, worker]) {
            const { status, body } = await timedGet(agent, `${app.url}/readyz`, {});
            if (status !== 200) failures.push(`not ready: ${body}`);
          }
          memory.api = Math.max(memory.api, await residentMemory(agent, api));
          memory.worker = Math.max(memory.worker, await residentMemory(agent, worker));
        }),
      ]);
      return {
        readsP95Ms: percentile(reads, 0.95),
        readsWorstMs: Math.max(...reads),
        webhookWorstMs: Math.max(...pushes),
        failures,
        apiMemory: memory.api,
        workerMemory: memory.worker,
      };
    },
    async close() {
      agent.destroy();
      await receiver.close();
    },
  };
}

function captureWorkspace(db: Database): Promise<void> {
  const link = uuid(2);
  return capture(db, [
    { record: 'company', id: companyId, name: 'Calm' },
    { record: 'room', companyId, id: ROOM, name: 'Calm' },
    { record: 'distribution', companyId, id: link, roomId: ROOM, recipientName: null, recipientEmail: null },
    ...Array.from({ length: EVENTS }, (_, n) => ({
      record: 'event' as const,
      companyId,
      key: `calm ${n}`,
      type: 'room_visit',
      occurredAt: '2026-09-01T12:00:00Z',
      distributionId: link,
    })),
  ]);
}

const capture = (db: Database, records: CaptureInput[]) =>
  captureRecords(
    db,
    records.map((record) => captureRecord.parse(record)),
  );

const hasArrived = ({ requests }: Receiver, text: string) =>
  // The newest request is last, so this search is short.
  requests.findLast(({ rawBody }) => rawBody.includes(text)) !== undefined;

async function residentMemory(agent: Agent, { url }: RunningApp): Promise<number> {
  const { body } = await timedGet(agent, `${url}/metrics`, {});
  return Math.round((parseScrape(body).values.get('process_resident_memory_bytes') ?? 0) / MIB);
}

function timedGet(
  agent: Agent,
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string; durationMs: number }> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(chunks).toString(),
          durationMs: performance.now() - startMs,
        }),
      );
    }).on('error', reject);
  });
}

function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

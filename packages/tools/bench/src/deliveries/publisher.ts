import { setTimeout as sleep } from 'node:timers/promises';
import { captureRecords } from '@deal-signals/capture/stream/capture-records';
import { captureRecord } from '@deal-signals/capture/records/record';
import { Database } from '@deal-signals/db/database';
import { engagementEvent } from '../data/engagement-event.ts';
import { monotonicMs } from '../measure/compare.ts';

// Captures engagement events as the product's back end does, from a process of its own.

/** Events to capture. The workspaces take turns. */
export interface Publication {
  /** Begins the keys of the events, so that no two publications have the same. */
  name: string;
  companies: number[];
  count: number;
  pace:
    | { perTransaction: number }
    /** Open loop: each event in a transaction of its own at its time, however long the earlier ones take. */
    | { perSecond: number }
    /** Closed loop: each workspace captures one event after the other. */
    | 'one by one';
}

/** The result of a publication. The times are those of `monotonicMs`. */
export interface Published {
  startedMs: number;
  endedMs: number;
  /** When each event was committed, by its number, and how long its capture took; not kept for transactions of several events. */
  committedMs: Map<number, number>;
  durationsMs: number[];
  /** The messages of captures that failed. */
  failures: string[];
}

export async function serve({ databaseUrl, poolSize }: { databaseUrl: string; poolSize: number }) {
  const db = new Database({
    url: databaseUrl,
    poolSize,
    applicationName: 'bench publisher',
    statementTimeoutMs: 60_000,
  });
  return async ({ name, companies, count, pace }: Publication): Promise<Published> => {
    const startedMs = monotonicMs();
    const published: Published = {
      startedMs,
      endedMs: startedMs,
      committedMs: new Map(),
      durationsMs: [],
      failures: [],
    };
    const recordOf = (n: number) =>
      captureRecord.parse(engagementEvent(companies[n % companies.length]!, `${name} ${n}`, n));
    async function captureOne(n: number): Promise<void> {
      const begunMs = monotonicMs();
      try {
        await captureRecords(db, [recordOf(n)]);
        const endMs = monotonicMs();
        published.committedMs.set(n, endMs);
        published.durationsMs.push(endMs - begunMs);
      } catch (error) {
        published.failures.push((error as Error).message);
      }
    }

    const ofEach = companies.map((_, place) =>
      Array.from(
        { length: Math.ceil((count - place) / companies.length) },
        (_each, n) => place + n * companies.length,
      ),
    );
    if (pace === 'one by one') {
      await Promise.all(
        ofEach.map(async (own) => {
          for (const n of own) await captureOne(n);
        }),
      );
    } else if ('perSecond' in pace) {
      const captures: Promise<void>[] = [];
      for (let n = 0; n < count; n += 1) {
        const waitMs = startedMs + (n * 1_000) / pace.perSecond - monotonicMs();
        if (waitMs > 0) await sleep(waitMs);
        captures.push(captureOne(n));
      }
      await Promise.all(captures);
    } else {
      // One transaction holds events of one workspace.
      for (let start = 0; ofEach.some((own) => start < own.length); start += pace.perTransaction) {
        for (const own of ofEach)
          await captureRecords(db, own.slice(start, start + pace.perTransaction).map(recordOf));
      }
    }
    published.endedMs = monotonicMs();
    return published;
  };
}

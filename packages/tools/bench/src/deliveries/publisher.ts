import { setTimeout as sleep } from 'node:timers/promises';
import { captureRecords } from '@deal-signals/capture/stream/capture-records';
import { captureRecord } from '@deal-signals/capture/records/record';
import { Database } from '@deal-signals/db/database';
import { engagementEvent } from '../data/engagement-event.ts';
import { monotonicMs } from '../measure/compare.ts';

// Captures engagement events as the product's back end does, in a process of its own.

/** Events to capture. The workspaces take turns. */
export interface Publication {
  /** The prefix of the keys of the events, which makes them unique among publications. */
  name: string;
  companies: number[];
  count: number;
  mode:
    | { perTransaction: number }
    /** Open loop: captures each event in its own transaction at its scheduled time, however long the earlier ones take. */
    | { perSecond: number }
    /** Closed loop: each workspace captures one event after another. */
    | 'one by one';
}

/** The outcome of a publication. Times are those of `monotonicMs`. */
export interface Published {
  startedMs: number;
  endedMs: number;
  /**
   * When each event was committed, by its number, and how long its capture took. Not kept for transactions of several
   * events.
   */
  committedMs: Map<number, number>;
  durationsMs: number[];
  /** The error messages of failed captures. */
  failures: string[];
}

export async function serve({ databaseUrl, poolSize }: { databaseUrl: string; poolSize: number }) {
  const db = new Database({
    url: databaseUrl,
    poolSize,
    applicationName: 'bench publisher',
    statementTimeoutMs: 60_000,
  });
  return async ({ name, companies, count, mode }: Publication): Promise<Published> => {
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
    if (mode === 'one by one') {
      await Promise.all(
        ofEach.map(async (own) => {
          for (const n of own) await captureOne(n);
        }),
      );
    } else if ('perSecond' in mode) {
      const captures: Promise<void>[] = [];
      for (let n = 0; n < count; n += 1) {
        const waitMs = startedMs + (n * 1_000) / mode.perSecond - monotonicMs();
        if (waitMs > 0) await sleep(waitMs);
        captures.push(captureOne(n));
      }
      await Promise.all(captures);
    } else {
      // One transaction holds events of one workspace.
      for (let start = 0; ofEach.some((own) => start < own.length); start += mode.perTransaction) {
        for (const own of ofEach)
          await captureRecords(db, own.slice(start, start + mode.perTransaction).map(recordOf));
      }
    }
    published.endedMs = monotonicMs();
    return published;
  };
}

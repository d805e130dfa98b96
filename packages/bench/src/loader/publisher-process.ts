import { setTimeout as sleep } from 'node:timers/promises';
import { captureRecords } from '@deal-signals/capture/capture-records';
import { captureRecord } from '@deal-signals/capture/record';
import { Database } from '@deal-signals/db/database';
import { engagementEvent } from '../data/engagement-event.ts';
import { monotonicMs } from '../measure/monotonic.ts';
import { optionsOfParent, serveParent } from '../stack/child.ts';

// Captures engagement events as the product's back end does, from a process of its own.

/** What the publisher needs to know. */
export interface PublisherOptions {
  databaseUrl: string;
  poolSize: number;
}

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
    | { writers: true };
}

/** What became of a publication. The times are those of `monotonicMs`. */
export interface Published {
  startedAtMs: number;
  endedAtMs: number;
  /** When each event was committed, by its number; not kept for transactions of several events. */
  committedAtMs: Map<number, number>;
  /** How long each capture took. */
  durationsMs: number[];
  /** The messages of captures that failed. */
  failures: string[];
}

const options = optionsOfParent() as PublisherOptions;
const db = new Database({
  url: options.databaseUrl,
  poolSize: options.poolSize,
  applicationName: 'bench publisher',
  statementTimeoutMs: 60_000,
});

async function publish({ name, companies, count, pace }: Publication): Promise<Published> {
  const startedAtMs = monotonicMs();
  const published: Published = {
    startedAtMs,
    endedAtMs: startedAtMs,
    committedAtMs: new Map(),
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
      published.committedAtMs.set(n, endMs);
      published.durationsMs.push(endMs - begunMs);
    } catch (error) {
      published.failures.push((error as Error).message);
    }
  }

  if ('perTransaction' in pace) {
    // One transaction holds events of one workspace.
    const numbers = companies.map((_, place) =>
      Array.from({ length: count }, (_each, n) => n).filter((n) => n % companies.length === place),
    );
    for (let start = 0; numbers.some((own) => start < own.length); start += pace.perTransaction) {
      for (const own of numbers) {
        await captureRecords(db, own.slice(start, start + pace.perTransaction).map(recordOf));
      }
    }
  } else if ('perSecond' in pace) {
    const captures: Promise<void>[] = [];
    for (let n = 0; n < count; n += 1) {
      const waitMs = startedAtMs + (n * 1_000) / pace.perSecond - monotonicMs();
      if (waitMs > 0) await sleep(waitMs);
      captures.push(captureOne(n));
    }
    await Promise.all(captures);
  } else {
    const writer = async (place: number) => {
      for (let n = place; n < count; n += companies.length) await captureOne(n);
    };
    await Promise.all(companies.map((_, place) => writer(place)));
  }
  published.endedAtMs = monotonicMs();
  return published;
}

serveParent(publish);

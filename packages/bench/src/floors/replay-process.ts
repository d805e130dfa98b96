import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { monotonicMs } from '../measure/monotonic.ts';
import { optionsOfParent, serveParent } from '../stack/child.ts';
import { type RecordedStatement, replay } from './recorded-statements.ts';

// The floor of the capture: the statements that the product sends for one event, sent by `pg` alone, prepared.

/** What the floor needs to know. */
export interface ReplayOptions {
  databaseUrl: string;
  poolSize: number;
}

/** The statements of one capture, and what has to differ in every one. */
export interface RecordedCapture {
  statements: RecordedStatement[];
  /** The key of the event that was captured. */
  key: string;
  /** The id of the webhook event that it caused. */
  eventId: string;
  /** The milliseconds of the feed clock that its ids begin with. */
  clockMs: string;
}

/** Captures to send again. */
export interface Replay {
  /** Begins the keys of the events. */
  name: string;
  /** One for each workspace. Each writes one event after the other. */
  captures: RecordedCapture[];
  count: number;
}

export interface ReplayReport {
  elapsedMs: number;
}

const options = optionsOfParent() as ReplayOptions;
const pool = new Pool({
  connectionString: options.databaseUrl,
  max: options.poolSize,
  options: '-c timezone=UTC',
});

async function run({ name, captures, count }: Replay): Promise<ReplayReport> {
  const startedAtMs = monotonicMs();
  const write = async ({ statements, key, eventId, clockMs }: RecordedCapture, place: number) => {
    let lastMs = 0;
    for (let n = place; n < count; n += captures.length) {
      const id = randomUUID();
      lastMs = Math.max(Date.now(), lastMs + 1);
      const ms = String(lastMs);
      const renew = (value: unknown) =>
        typeof value === 'string'
          ? value.replaceAll(key, `${name} ${n}`).replaceAll(eventId, id).replaceAll(clockMs, ms)
          : value;
      const client = await pool.connect();
      try {
        await replay(
          client,
          statements.map(({ text, values }) => ({ text, values: values.map(renew) })),
        );
      } finally {
        client.release();
      }
    }
  };
  await Promise.all(captures.map(write));
  return { elapsedMs: monotonicMs() - startedAtMs };
}

serveParent(run);

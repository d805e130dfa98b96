import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { replay, type Statement } from '../data/statements.ts';
import { monotonicMs } from '../measure/compare.ts';

// The floor of the capture: the statements that the product sends for one event, sent by `pg` alone, prepared.

/** The statements of one capture, and what has to differ in every one. */
export interface RecordedCapture {
  statements: Statement[];
  /** The key of the event that was captured. */
  key: string;
  /** The id of the webhook event that it caused. */
  eventId: string;
  /** The milliseconds of the feed clock that its ids begin with. */
  clockMs: string;
}

/**
 * The ids of what is sent again are a year older. Those of the product run ahead of the time while a workspace gets more than one event
 * a millisecond, so ids of the present would meet them.
 */
const YEAR_MS = 365 * 86_400_000;

/** Captures to send again, one for each workspace. Each writes one event after the other. */
export interface Replay {
  /** Begins the keys of the events. */
  name: string;
  captures: RecordedCapture[];
  count: number;
}

export async function serve({ databaseUrl, poolSize }: { databaseUrl: string; poolSize: number }) {
  /** The milliseconds that the ids of the last event began with, by the key of the capture. */
  const last = new Map<string, number>();
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize, options: '-c timezone=UTC' });
  return async ({ name, captures, count }: Replay): Promise<{ ms: number }> => {
    const startedMs = monotonicMs();
    const write = async ({ statements, key, eventId, clockMs }: RecordedCapture, place: number) => {
      for (let n = place; n < count; n += captures.length) {
        const id = randomUUID();
        const ms = (last.get(key) ?? Number(clockMs) - YEAR_MS) + 1;
        last.set(key, ms);
        const renew = (value: unknown) =>
          typeof value === 'string'
            ? value.replaceAll(key, `${name} ${n}`).replaceAll(eventId, id).replaceAll(clockMs, String(ms))
            : value;
        const client = await pool.connect();
        try {
          const renewed = statements.map(({ text, values }) => ({ text, values: values.map(renew) }));
          await replay(client, renewed);
        } finally {
          client.release();
        }
      }
    };
    await Promise.all(captures.map(write));
    return { ms: monotonicMs() - startedMs };
  };
}

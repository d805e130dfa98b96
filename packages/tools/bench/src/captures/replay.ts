import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { replay, type Statement } from '../data/statements.ts';
import { monotonicMs } from '../measure/compare.ts';

// The floor of the capture: `pg` alone sends the statements that the product sends for one event, prepared.

/** The statements of one capture, and the values that must differ each time they are sent. */
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
 * Replayed rows get ids that are a year older. The product's own ids run ahead of the clock while a workspace gets more
 * than one event per millisecond, so ids of the present could collide with them.
 */
const YEAR_MS = 365 * 86_400_000;

/** Captures to replay, one per workspace. Each writes one event after another. */
export interface Replay {
  /** The prefix of the keys of the events. */
  name: string;
  captures: RecordedCapture[];
  count: number;
}

export async function serve({ databaseUrl, poolSize }: { databaseUrl: string; poolSize: number }) {
  /** The milliseconds at the beginning of the last event's ids, by the key of the capture. */
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

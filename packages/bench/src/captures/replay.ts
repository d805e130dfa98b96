import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { replay, type Statement } from '../data/statements.ts';
import { monotonicMs } from '../measure.ts';

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

/** Captures to send again, one for each workspace. Each writes one event after the other. */
export interface Replay {
  /** Begins the keys of the events. */
  name: string;
  captures: RecordedCapture[];
  count: number;
}

export async function serve({ databaseUrl, poolSize }: { databaseUrl: string; poolSize: number }) {
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize, options: '-c timezone=UTC' });
  return async ({ name, captures, count }: Replay): Promise<{ ms: number }> => {
    const startedMs = monotonicMs();
    const write = async ({ statements, key, eventId, clockMs }: RecordedCapture, place: number) => {
      let lastMs = 0;
      for (let n = place; n < count; n += captures.length) {
        const id = randomUUID();
        lastMs = Math.max(Date.now(), lastMs + 1);
        const renew = (value: unknown) =>
          typeof value === 'string'
            ? value
                .replaceAll(key, `${name} ${n}`)
                .replaceAll(eventId, id)
                .replaceAll(clockMs, String(lastMs))
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

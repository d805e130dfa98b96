import { Pool } from 'undici';
import { monotonicMs } from '../measure/compare.ts';

// Sends requests over kept connections from a process of its own, in the same way for every contestant, and compares every
// response with the expected bytes.

/** The requests to send until one of the two limits is reached. */
export interface Load {
  origin: string;
  headers: Record<string, string>;
  /** Sent in turn. */
  requests: ExpectedResponse[];
  connections: number;
  maxMs: number;
  maxRequests: number;
}

/** A request and its response. */
export interface ExpectedResponse {
  path: string;
  body: Uint8Array;
}

/**
 * Sends requests.
 *
 * @throws Error if a response is wrong.
 */
export async function load({ origin, headers, requests, connections, maxMs, maxRequests }: Load) {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  let next = 0;
  let units = 0;
  const startedMs = monotonicMs();
  const loop = async () => {
    while (next < maxRequests && monotonicMs() - startedMs < maxMs) {
      await exchange(pool, headers, requests[next++ % requests.length]!);
      units += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, loop));
    return { units, ms: monotonicMs() - startedMs };
  } finally {
    await pool.destroy();
  }
}

export const serve = async (_options: object) => load;

function exchange(
  pool: Pool,
  headers: Record<string, string>,
  { path, body }: ExpectedResponse,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0;
    const chunks: Buffer[] = [];
    pool.dispatch(
      { path, method: 'GET', headers },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
          if (status === 200 && bytes.equals(body)) resolve();
          else reject(new Error(`wrong response to ${path}: ${status} ${bytes.toString().slice(0, 300)}`));
        },
        onResponseError(_controller, error) {
          reject(error);
        },
      },
    );
  });
}

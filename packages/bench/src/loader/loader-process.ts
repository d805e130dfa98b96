import { Pool } from 'undici';
import { serveParent } from '../stack/child.ts';

// Sends requests over kept connections from a process of its own, the same for every contestant, and compares every
// response with the bytes that it must have.

/** What to send. */
export interface Load {
  origin: string;
  headers: Record<string, string>;
  /** Sent in turn. */
  requests: ExpectedResponse[];
  connections: number;
  durationMs: number;
  /** How many requests to send at most, in this time. */
  mostRequests?: number;
}

/** A request and its response. */
export interface ExpectedResponse {
  path: string;
  body: Uint8Array;
  /** In addition to the headers of all requests, or instead of them. */
  headers?: Record<string, string>;
  /** The value of this field may differ; its text is replaced by null before the comparison. */
  volatileField?: string;
}

/** What came back. A wrong response is an error instead. */
export interface LoadReport {
  responses: number;
  elapsedMs: number;
}

async function run({
  origin,
  headers,
  requests,
  connections,
  durationMs,
  mostRequests = Number.POSITIVE_INFINITY,
}: Load): Promise<LoadReport> {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  let next = 0;
  let responses = 0;
  const startedMs = performance.now();
  const loop = async () => {
    while (next < mostRequests && performance.now() - startedMs < durationMs) {
      await exchange(pool, headers, requests[next++ % requests.length]!);
      responses += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, loop));
    return { responses, elapsedMs: performance.now() - startedMs };
  } finally {
    await pool.destroy();
  }
}

function exchange(pool: Pool, headers: Record<string, string>, expected: ExpectedResponse): Promise<void> {
  const { path, body, volatileField } = expected;
  return new Promise((resolve, reject) => {
    let status = 0;
    const chunks: Buffer[] = [];
    pool.dispatch(
      { path, method: 'GET', headers: { ...headers, ...expected.headers } },
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
          const received = volatileField === undefined ? bytes : withoutField(bytes, volatileField);
          if (status === 200 && received.equals(body)) resolve();
          else reject(new Error(`wrong response to ${path}: ${status} ${bytes.toString().slice(0, 300)}`));
        },
        onResponseError(_controller, error) {
          reject(error);
        },
      },
    );
  });
}

/** The text of a response in which the text value of a field is replaced by null. */
function withoutField(bytes: Buffer, field: string): Buffer {
  return Buffer.from(bytes.toString().replace(new RegExp(`"${field}"( ?: ?)"[^"]*"`), `"${field}"$1null`));
}

serveParent(run);

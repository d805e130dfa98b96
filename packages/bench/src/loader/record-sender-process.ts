import { createReadStream } from 'node:fs';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { engagementEvent } from '../data/engagement-event.ts';
import { monotonicMs } from '../measure/monotonic.ts';
import { optionsOfParent, serveParent } from '../stack/child.ts';

// Sends records over HTTP as the product's back end does, from a process of its own.

/** What the sender needs to know. */
export interface RecordSenderOptions {
  /** The base URL of the capture port. */
  url: string;
  token: string;
  connections: number;
}

/** Records to send. */
export type Sending =
  /** A file in one request. */
  | { file: string }
  /** Open loop: each event in a request of its own at its time, however long the earlier ones take. */
  | { name: string; companies: number[]; count: number; perSecond: number };

/** What became of them. */
export interface Sent {
  elapsedMs: number;
  /** How long each request took. */
  durationsMs: number[];
  /** The records that were captured, as the responses say. */
  captured: number;
  failures: string[];
}

const options = optionsOfParent() as RecordSenderOptions;
const agent = new Agent({ keepAlive: true, maxSockets: options.connections });

/** Sends a request. @returns the number of captured records. */
async function send(fill: (outgoing: ClientRequest) => Promise<unknown>): Promise<number> {
  const outgoing = request(`${options.url}/records`, {
    method: 'POST',
    agent,
    headers: { authorization: `Bearer ${options.token}`, 'content-type': 'application/x-ndjson' },
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject);
  });
  const read = async (): Promise<string> => {
    let last = '';
    for await (const part of (await response).setEncoding('utf8')) last = (last + String(part)).slice(-1_000);
    return last;
  };
  const [text] = await Promise.all([read(), fill(outgoing)]);
  const last = JSON.parse(text.trim().split('\n').at(-1) ?? '{}') as { done?: true; captured?: number };
  if (last.done !== true) throw new Error(text);
  return last.captured ?? 0;
}

async function handle(sending: Sending): Promise<Sent> {
  const startedAtMs = monotonicMs();
  const sent: Sent = { elapsedMs: 0, durationsMs: [], captured: 0, failures: [] };
  if ('file' in sending) {
    sent.captured = await send((outgoing) => pipeline(createReadStream(sending.file), outgoing));
  } else {
    const { name, companies, count, perSecond } = sending;
    const sendOne = async (n: number): Promise<void> => {
      const begunMs = monotonicMs();
      const event = engagementEvent(companies[n % companies.length]!, `${name} ${n}`, n);
      try {
        // Added after the wait: other requests add theirs meanwhile.
        const captured = await send(async (outgoing) => outgoing.end(`${JSON.stringify(event)}\n`));
        sent.captured += captured;
        sent.durationsMs.push(monotonicMs() - begunMs);
      } catch (error) {
        sent.failures.push((error as Error).message);
      }
    };
    const requests: Promise<void>[] = [];
    for (let n = 0; n < count; n += 1) {
      const waitMs = startedAtMs + (n * 1_000) / perSecond - monotonicMs();
      if (waitMs > 0) await sleep(waitMs);
      requests.push(sendOne(n));
    }
    await Promise.all(requests);
  }
  sent.elapsedMs = monotonicMs() - startedAtMs;
  return sent;
}

serveParent(handle);

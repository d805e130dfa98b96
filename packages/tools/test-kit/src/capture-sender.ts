import { request as startRequest, type IncomingMessage } from 'node:http';
import type { RunningApp } from './processes.ts';
import { until } from './until.ts';

/** A capture token of the tests, for all workspaces. */
export const CAPTURE_TOKEN = 'a-capture-token-of-the-tests-long-enough';

/** Settings that open a capture port, on any free port. */
export const CAPTURE_ENV = { CAPTURE_PORT: '0', CAPTURE_TOKENS: CAPTURE_TOKEN };

/** Returns the base URL of the capture port of an API that was started with `CAPTURE_ENV`. */
export async function captureUrlOf(api: RunningApp): Promise<string> {
  await api.waitForOutput('"capturePort"');
  return `http://127.0.0.1:${/"capturePort":(\d+)/.exec(api.output())?.[1]}`;
}

/** An open request with records, over which more can be sent while results arrive. */
export interface RecordSender {
  /** Sends text. Returns whether the connection accepts more at once. */
  send(text: string): boolean;
  /** Completes the request and returns the whole response. */
  finish(): Promise<ReceivedResults>;
  /** Resolves at the end of the response, whether or not the request is complete. */
  ended: Promise<ReceivedResults>;
  /** Returns the lines that have arrived. */
  lines(): ResultLine[];
  /** Waits until a line has arrived. */
  untilLine(match: Partial<ResultLine>): Promise<void>;
  /** Returns how many bytes the system has not accepted from the sender yet. */
  unsentBytes(): number;
  /** Closes the connection abruptly. */
  cut(): void;
}

export interface ReceivedResults {
  /** 0 if the connection ended before a response began. */
  status: number;
  headers: IncomingMessage['headers'];
  lines: ResultLine[];
  /** Whether the response was incomplete. */
  isCut: boolean;
}

/** A line of the response. */
export interface ResultLine {
  committed?: number;
  checked?: number;
  line?: number;
  errors?: { field: string; message: string; code?: string }[];
  done?: true;
  dryRun?: true;
  captured?: number;
  validated?: number;
  refused?: number;
  error?: string;
  code?: string;
}

/** Starts sending records. `query` begins with `?`. */
export function openSender(
  captureUrl: string,
  query = '',
  token: string | null = CAPTURE_TOKEN,
  headers: Record<string, string> = {},
): RecordSender {
  let text = '';
  const parsed = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as ResultLine);
  const request = startRequest(`${captureUrl}/records${query}`, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/x-ndjson',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
  request.flushHeaders();
  const ended = new Promise<ReceivedResults>((resolve) => {
    let response: IncomingMessage | undefined;
    const resolveResults = (): void => {
      const isJson = response?.headers['content-type']?.startsWith('application/json');
      resolve({
        status: response?.statusCode ?? 0,
        headers: response?.headers ?? {},
        lines: isJson ? [JSON.parse(text) as ResultLine] : parsed(),
        isCut: response?.complete !== true,
      });
    };
    request.on('error', () => response ?? resolveResults());
    request.on('response', (received) => {
      response = received;
      received.setEncoding('utf8').on('data', (part: string) => (text += part));
      received.on('error', () => {});
      received.on('close', resolveResults);
    });
  });
  return {
    send: (sent) => request.write(sent),
    ended,
    finish() {
      request.end();
      return ended;
    },
    lines: parsed,
    async untilLine(match) {
      await until(`the line ${JSON.stringify(match)}`, () =>
        parsed().some((line) =>
          Object.entries(match).every(([name, value]) => Reflect.get(line, name) === value),
        ),
      );
    },
    unsentBytes: () => request.writableLength + (request.socket?.writableLength ?? 0),
    cut: () => request.destroy(),
  };
}

/** Sends records in one request. */
export function sendRecords(
  captureUrl: string,
  text: string,
  query?: string,
  token?: string | null,
  headers?: Record<string, string>,
): Promise<ReceivedResults> {
  const sender = openSender(captureUrl, query, token, headers);
  sender.send(text);
  return sender.finish();
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Simulates the API, or a proxy in front of it, also with failures: each step of the script handles one request. */
export interface ScriptedApi {
  readonly url: string;
  /** The paths of the requests so far, with their parameters. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** Handles one request. */
export type Step = (response: ServerResponse, request: IncomingMessage) => void;

/** Starts a server. The last step of the script repeats. */
export async function startScriptedApi(...script: [Step, ...Step[]]): Promise<ScriptedApi> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const [step] = script;
    if (script.length > 1) script.shift();
    step(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api/v1`,
    requests,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Responds with a page of events with the given ids; its cursor is the last of them. */
export function page(ids: readonly number[], { hasMore = false, cursor = ids.at(-1) ?? 0 } = {}): Step {
  const data = ids.map((id) => ({ id: String(id), type: 'room_visit' }));
  return (response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ data, nextCursor: String(cursor), hasMore }));
  };
}

/** Responds with a status and the error body of the API. */
export function refuse(status: number, code: string, headers: Record<string, string> = {}): Step {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(
      JSON.stringify({
        error: `about ${code}`,
        code,
        ...(code === 'INVALID_CURSOR' && { field: 'cursor' }),
      }),
    );
  };
}

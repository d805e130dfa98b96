import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What stands between a client and the API, or the API itself on a bad day: it does with each request what the script says. */
export interface ScriptedApi {
  readonly url: string;
  /** The paths of the requests so far, with their parameters. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** Does one thing with a request. */
export type Step = (response: ServerResponse, request: IncomingMessage) => void;

/** Starts a server. When the script is at its end, the last step repeats. */
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

/** A page of events with the given ids; its cursor is the last of them. */
export function page(ids: readonly number[], { hasMore = false, cursor = ids.at(-1) ?? 0 } = {}): Step {
  const data = ids.map((id) => ({ id: String(id), type: 'room_visit' }));
  return (response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ data, nextCursor: String(cursor), hasMore }));
  };
}

/** A response with a status, and the body of an error of the API. */
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

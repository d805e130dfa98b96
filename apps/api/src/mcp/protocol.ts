import { API_VERSION } from '@deal-signals/outbox/event-types';
import {
  type CallToolResult,
  createMcpHandler,
  isJSONRPCRequest,
  isLegacyRequest,
  type JSONRPCRequest,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  specTypeSchemas,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { invalidRequest } from '../http/errors.ts';
import { INSTRUCTIONS, PUBLISHED_TOOLS } from './tools.ts';
import { withoutNulls } from './without-nulls.ts';

/** The headers that mean something to the protocol. The others, such as the credential, do not concern it. */
const HEADERS = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];
/** What the older revisions demand. Clients that accept JSON alone are served too: that is all that is ever sent here. */
const ACCEPTED = 'application/json, text/event-stream';

/** The parameters of each request that has any, as the protocol wants them. */
const REQUESTS: ReadonlyMap<string, Pick<(typeof specTypeSchemas)['Request'], '~standard'>> = new Map(
  Object.entries({
    initialize: specTypeSchemas.InitializeRequest,
    'tools/list': specTypeSchemas.ListToolsRequest,
    'tools/call': specTypeSchemas.CallToolRequest,
  }),
);

/** The tools and what is said of them are the same for every key, and change with the version that is installed. */
const CACHED = { ttlMs: 60 * 60_000, cacheScope: 'public' } as const;

/** Runs a tool. Rejects with a `ProtocolError` to respond with an error of the protocol. */
export type CallTool = (name: string, given: object) => Promise<CallToolResult>;

/** The response to a message. */
export interface Reply {
  status: number;
  /** JSON, or null for a notification. */
  text: string | null;
  /** Whether the message was rejected as invalid, without any effect. */
  isRefused: boolean;
}

/**
 * Handles one message of the Model Context Protocol, as the transport Streamable HTTP describes it: of revision 2026-07-28, or of
 * those before it, which begin with `initialize`. Nothing is kept between messages: any process can handle the next one.
 *
 * @param body the parsed body.
 * @param headerOf returns a header of the request.
 * @throws ApiError INVALID_REQUEST if the body is not a message; every other error that `callTool` rejects with.
 */
export async function handleMessage(
  body: unknown,
  headerOf: (name: string) => string | undefined,
  callTool: CallTool,
): Promise<Reply> {
  const message = readMessage(body);
  if (specTypeSchemas.JSONRPCMessage['~standard'].validate(message).issues !== undefined) {
    throw invalidRequest('body: must be one JSON-RPC 2.0 message, whose id is a text or an integer');
  }
  const request = isJSONRPCRequest(message) ? message : null;
  // The SDK would keep the stream of a subscription open, and the tools never change.
  if (request?.method === 'subscriptions/listen') {
    return errorReply(request, 404, ProtocolErrorCode.MethodNotFound, 'Method not found');
  }
  const headers = HEADERS.flatMap((name): [string, string][] => {
    const value = headerOf(name);
    return value === undefined ? [] : [[name, value]];
  });
  // A request needs a URL, which is not used.
  const post = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: [['accept', ACCEPTED], ...headers],
  });
  const isLegacy = await isLegacyRequest(post, message);
  const problem = request && problemOf(request, isLegacy);
  if (request && problem !== null) return errorReply(request, 200, ProtocolErrorCode.InvalidParams, problem);
  // The server would send the message of any error to the caller.
  const failures: unknown[] = [];
  const server = createServer(request, (name, given) =>
    callTool(name, given).catch((error: unknown) => {
      if (!(error instanceof ProtocolError)) failures.push(error);
      throw error;
    }),
  );
  const response = isLegacy
    ? await serveLegacy(server, post, message)
    : await createMcpHandler(() => server, { legacy: 'reject' }).fetch(post, { parsedBody: message });
  const text = response.body === null ? null : await response.text();
  await server.close();
  if (failures.length > 0) throw failures[0];
  return { status: response.status, text, isRefused: response.status >= 400 };
}

function createServer(request: JSONRPCRequest | null, callTool: CallTool): Server {
  const server = new Server(
    { name: 'deal-signals', title: 'Deal Signals', version: API_VERSION },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': CACHED, 'server/discover': CACHED },
    },
  );
  server.setRequestHandler('tools/list', (): ListToolsResult => ({ tools: PUBLISHED_TOOLS }));
  server.setRequestHandler('tools/call', ({ params }) =>
    // The arguments as sent, because the schema of the protocol drops one that is named `__proto__`.
    callTool(params.name, (request?.params?.['arguments'] as object | undefined) ?? {}),
  );
  return server;
}

/** Handles a message of a revision before 2026-07-28. The SDK's own handler would respond with a stream. */
async function serveLegacy(server: Server, post: Request, parsedBody: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return transport.handleRequest(post, { parsedBody });
}

/**
 * Copies a message without what is to be ignored: `params`, or a member such as `arguments`, that is null, and the wish that a
 * call become a task, which the protocol wants servers without tasks to ignore.
 */
function readMessage(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { params, ...rest } = body;
  if (params === null) return rest;
  return isObject(params) ? { ...rest, params: withoutNulls({ ...params, task: null }) } : body;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Describes what is wrong with the parameters of a request; null if nothing is. The SDK would send a dump of the schema's errors. */
function problemOf(request: JSONRPCRequest, isLegacy: boolean): string | null {
  if (request.method === 'initialize' && !isLegacy) return null;
  const [issue] = REQUESTS.get(request.method)?.['~standard'].validate(request).issues ?? [];
  const path = issue?.path?.map((part) => String(typeof part === 'object' ? part.key : part));
  return issue === undefined ? null : `${path?.join('.')}: ${issue.message}`;
}

function errorReply({ id }: JSONRPCRequest, status: number, code: number, message: string): Reply {
  const text = JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
  return { status, text, isRefused: true };
}

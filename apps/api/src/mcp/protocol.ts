import { API_VERSION } from '@deal-signals/outbox/event-types';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  InitializeRequestSchema,
  isJSONRPCRequest,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
  ListToolsRequestSchema,
  McpError,
  PingRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { z } from 'zod';
import { invalidRequest } from '../http/errors.ts';
import { INSTRUCTIONS, PUBLISHED_TOOLS } from './tools.ts';
import { withoutNulls } from './without-nulls.ts';

/** The headers that the protocol uses. Others, such as the credential, are not passed to it. */
const HEADERS = ['content-type', 'mcp-protocol-version'];
/**
 * The value that the transport requires. It would reject clients that accept only JSON, although this server sends nothing else.
 */
const ACCEPTED = 'application/json, text/event-stream';

/** The schema of each supported request, by its method. */
const REQUEST_SCHEMAS: ReadonlyMap<string, Pick<z.ZodType, 'safeParse'>> = new Map(
  Object.entries({
    initialize: InitializeRequestSchema,
    ping: PingRequestSchema,
    'tools/list': ListToolsRequestSchema,
    'tools/call': CallToolRequestSchema,
  }),
);

/** Shared, because there is a server for each message, and each would create its own. */
const VALIDATOR = new AjvJsonSchemaValidator();

/** Runs a tool. Rejects with an `McpError` to respond with a protocol error. */
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
 * Handles one message of the Model Context Protocol, as the Streamable HTTP transport specifies it. No state is kept between
 * messages, so any process can handle the next one.
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
  if (!JSONRPCMessageSchema.safeParse(message).success) {
    throw invalidRequest('body: must be one JSON-RPC 2.0 message, whose id is a text or an integer');
  }
  const request = isJSONRPCRequest(message) ? message : null;
  const problem = request && problemOf(request);
  if (request && problem !== null) return invalidParams(request, problem);
  const server = new Server(
    { name: 'deal-signals', title: 'Deal Signals', version: API_VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: VALIDATOR },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: PUBLISHED_TOOLS }));
  // The server would send the message of every error to the caller.
  const failures: unknown[] = [];
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    // The arguments as sent, because the schema of the protocol drops one that is named `__proto__`.
    callTool(params.name, (request?.params?.['arguments'] as object | undefined) ?? {}).catch(
      (error: unknown) => {
        if (error instanceof McpError) throw error;
        failures.push(error);
        throw new McpError(ErrorCode.InternalError, 'the call has failed');
      },
    ),
  );
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const headers = HEADERS.flatMap((name): [string, string][] => {
      const value = headerOf(name);
      return value === undefined ? [] : [[name, value]];
    });
    // The transport requires a URL, but does not use it.
    const url = 'http://localhost/mcp';
    const post = new Request(url, { method: 'POST', headers: [['accept', ACCEPTED], ...headers] });
    const response = await transport.handleRequest(post, { parsedBody: message });
    if (failures.length > 0) throw failures[0];
    const text = response.body === null ? null : await response.text();
    return { status: response.status, text, isRefused: response.status >= 400 };
  } finally {
    await server.close();
  }
}

/**
 * Copies a message without the parts to ignore: `params` or a member such as `arguments` that is null, and the request to run a
 * call as a task. The protocol requires servers without tasks to ignore that request, but the SDK rejects it.
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

/**
 * Describes an error in the parameters of a request; null if there is none. The server would send a dump of the schema's errors.
 */
function problemOf(request: JSONRPCRequest): string | null {
  const [issue] = REQUEST_SCHEMAS.get(request.method)?.safeParse(request).error?.issues ?? [];
  return issue === undefined ? null : `${issue.path.join('.')}: ${issue.message}`;
}

function invalidParams({ id }: JSONRPCRequest, message: string): Reply {
  const error = { code: ErrorCode.InvalidParams, message };
  return { status: 200, text: JSON.stringify({ jsonrpc: '2.0', id, error }), isRefused: true };
}

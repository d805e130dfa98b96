import { API_VERSION } from '@deal-signals/outbox/event-types';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { INSTRUCTIONS, PUBLISHED_TOOLS } from './tools.ts';

/** The headers that mean something to the protocol. The others, such as the credential, do not concern it. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version'];

/** Shared, because a server makes one of its own otherwise, and there is a server for each message. */
const VALIDATOR = new AjvJsonSchemaValidator();

/** Runs a tool. Rejects with an `McpError` to respond with an error of the protocol. */
export type CallTool = (name: string, given: Record<string, unknown>) => Promise<CallToolResult>;

/** The response to a message: JSON text, or null for a notification. */
export interface Reply {
  status: number;
  text: string | null;
}

/**
 * Handles one message of the Model Context Protocol, as the transport Streamable HTTP describes it. Nothing is kept between
 * messages: any process can handle the next one.
 *
 * @param message the parsed body.
 * @param headerOf returns a header of the request.
 * @throws whatever else `callTool` rejects with.
 */
export async function handleMessage(
  message: unknown,
  headerOf: (name: string) => string | undefined,
  callTool: CallTool,
): Promise<Reply> {
  const server = new Server(
    { name: 'deal-signals', title: 'Deal Signals', version: API_VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: VALIDATOR },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: PUBLISHED_TOOLS }));
  // The server would send the message of any error to the caller.
  const failures: unknown[] = [];
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(params.name, params.arguments ?? {}).catch((error: unknown) => {
      if (error instanceof McpError) throw error;
      failures.push(error);
      throw new McpError(ErrorCode.InternalError, 'the call has failed');
    }),
  );
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const headers = HEADERS.flatMap((name): [string, string][] => {
      const value = headerOf(name);
      return value === undefined ? [] : [[name, value]];
    });
    // The transport needs a URL, and does not use it.
    const request = new Request('http://localhost/mcp', { method: 'POST', headers });
    const response = await transport.handleRequest(request, { parsedBody: message });
    if (failures.length > 0) throw failures[0];
    return { status: response.status, text: response.body === null ? null : await response.text() };
  } finally {
    await server.close();
  }
}

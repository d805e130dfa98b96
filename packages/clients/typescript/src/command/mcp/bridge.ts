import type { Connection } from '../../client.ts';
import { repeatUntilDone, type Sent } from '../../feeds/repeat.ts';
import { explained } from '../explain.ts';
import { jsonForTerminal } from '../escape-for-terminal.ts';

/** Assistants give up after a minute, so a request has to fail before, with a reason. */
const GIVE_UP_AFTER_MS = 40_000;
const TIMEOUT_MS = 30_000;

/** The codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const SERVER_ERROR = -32_000;

/** Where a request of revision 2026-07-28 or later names its version of the protocol. */
const VERSION = 'io.modelcontextprotocol/protocolVersion';

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

type Id = string | number;

/** A message of JSON-RPC, as far as it is looked at here. */
interface Message {
  id?: Id;
  method?: string;
  params?: { requestId?: Id; name?: unknown; _meta?: Record<string, unknown> };
}

/** Where the bridge writes to, and when it ends. */
export interface BridgeOptions {
  /** Writes a message, as one line. */
  write: (line: string) => void;
  /** Reports a problem to the person who configured the assistant. */
  report: (line: string) => void;
  signal: AbortSignal;
}

/**
 * Passes the messages of an assistant on to the API, one request for each, and its responses back. The tools are the API's:
 * this only translates failures of the connection into messages that the assistant can show to its model.
 */
export class Bridge {
  readonly #url: string;
  readonly #headers: Connection['headers'];
  readonly #options: BridgeOptions;
  /** The requests in progress, so that the assistant can cancel them. */
  readonly #inProgress = new Map<Id, AbortController>();
  /** The version of the protocol that the API and the assistant negotiated, in revisions before 2026-07-28. */
  #version: string | null = null;

  constructor({ baseUrl, headers }: Connection, options: BridgeOptions) {
    this.#url = mcpUrl(baseUrl);
    this.#headers = headers;
    this.#options = options;
  }

  /**
   * Handles a message. Never rejects.
   *
   * @param line the bytes of the message, or null if it was too long to be read.
   */
  async handle(line: Buffer | null): Promise<void> {
    if (line === null) {
      this.#writeError(
        null,
        INVALID_REQUEST,
        'the line is too long: the API accepts messages of up to 100 KiB',
      );
      return;
    }
    const json = decoded(line);
    if (json?.trim() === '') return;
    const message = json === null ? null : parsed(json);
    if (json === null || message === null) {
      this.#writeError(null, PARSE_ERROR, 'the line is not JSON in UTF-8');
      return;
    }
    if (typeof message !== 'object' || Array.isArray(message)) {
      this.#writeError(null, INVALID_REQUEST, 'a line must be one JSON-RPC message');
      return;
    }
    const { id, method, params } = message as Message;
    if (method === 'notifications/cancelled' && params?.requestId !== undefined) {
      this.#inProgress.get(params.requestId)?.abort();
    }
    // The API keeps nothing between messages, so notifications and responses mean nothing to it.
    if (id === undefined || id === null || method === undefined) return;
    const cancellation = new AbortController();
    this.#inProgress.set(id, cancellation);
    try {
      const signal = AbortSignal.any([cancellation.signal, this.#options.signal]);
      const reply = await this.#send(json, id, this.#headersOf(message), signal);
      // A request that was cancelled gets no response.
      if (reply === null) return;
      if (method === 'initialize') this.#version = reply.result?.protocolVersion ?? null;
      this.#options.write(jsonForTerminal(reply));
    } catch (error) {
      const text = explained(error);
      this.#options.report(`deal-signals mcp: ${text}`);
      // As the result of a tool, the model sees it. Of an error of the protocol, some assistants show nothing.
      if (method !== 'tools/call') this.#writeError(id, SERVER_ERROR, text);
      else this.#write({ id, result: { isError: true, content: [{ type: 'text', text }] } });
    } finally {
      this.#inProgress.delete(id);
    }
  }

  /** The headers that repeat what a request says, so that proxies need not read it. */
  #headersOf({ method, params }: Message): Record<string, string> {
    const version = params?._meta?.[VERSION];
    if (version === undefined) return this.#version === null ? {} : { 'MCP-Protocol-Version': this.#version };
    return {
      'MCP-Protocol-Version': headerValue(version),
      'Mcp-Method': headerValue(method),
      ...(params?.name !== undefined && { 'Mcp-Name': headerValue(params.name) }),
    };
  }

  async #send(
    body: string,
    id: Id,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Reply | null> {
    const isReply = (value: unknown): boolean =>
      (value as Reply | null)?.jsonrpc === '2.0' && (value as Reply).id === id;
    const send = async (): Promise<Sent> => {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: {
          ...this.#headers,
          Accept: 'application/json, text/event-stream',
          'Content-Type': 'application/json',
          ...headers,
        },
        body,
        // A redirect would carry the key to another server.
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      if (response.ok) return { response };
      const refusal = parsed(await response.text());
      // An error of the protocol, such as one about the version, which tells the assistant how to go on.
      if (isReply(refusal)) return { response: Response.json(refusal) };
      return { response, error: refusalIn(refusal) };
    };
    const patience = { signal, giveUpAfterMs: GIVE_UP_AFTER_MS };
    return (await repeatUntilDone('mcp', send, isReply, patience)) as Reply | null;
  }

  #write(message: object): void {
    this.#options.write(jsonForTerminal({ jsonrpc: '2.0', ...message }));
  }

  #writeError(id: Id | null, code: number, message: string): void {
    this.#write({ id, error: { code, message } });
  }
}

/** A response of the API. */
interface Reply {
  jsonrpc: '2.0';
  id: Id;
  result?: { protocolVersion?: string };
}

/** `/mcp` is next to `/api/v1`, because the protocol has versions of its own. */
function mcpUrl(baseUrl: string): string {
  return baseUrl.replace(/(\/api)?\/v\d+$/, '/mcp');
}

/** The error of the API in the body of a response that is not 2xx: one of JSON-RPC, or what all other routes send. */
function refusalIn(refusal: unknown): unknown {
  const body = refusal as { error?: { message?: unknown; data?: { code?: unknown } } } | null;
  if (typeof body?.error !== 'object' || body.error === null) return body;
  const { message, data } = body.error;
  // The message begins with the code, which is also on its own.
  return { error: String(message).replace(`${String(data?.code)}: `, ''), code: data?.code };
}

/** A value as a header can have it: as it is if that is possible, otherwise encoded as the protocol says. */
function headerValue(value: unknown): string {
  const text = String(value);
  const isPlain = /^[!-~](?:[ -~]*[!-~])?$/.test(text) && !text.startsWith('=?base64?');
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The text of a message; null if it is not UTF-8. */
function decoded(bytes: Buffer): string | null {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

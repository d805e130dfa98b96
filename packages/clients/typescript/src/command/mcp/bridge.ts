import type { Connection } from '../../client.ts';
import { repeatUntilDone, type Sent } from '../../feeds/repeat.ts';
import { explained } from '../explain.ts';
import { jsonForTerminal } from '../escape-for-terminal.ts';

/** Assistants time out after a minute, so a request has to fail before that, with a reason. */
const GIVE_UP_AFTER_MS = 40_000;
const TIMEOUT_MS = 30_000;

/** The codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const SERVER_ERROR = -32_000;

/** The field in which a request of revision 2026-07-28 or later states the version of the protocol. */
const VERSION = 'io.modelcontextprotocol/protocolVersion';

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

type Id = string | number;

/** A JSON-RPC message, limited to the fields that are read here. */
interface Message {
  id?: Id;
  method?: string;
  params?: { requestId?: Id; name?: unknown; _meta?: Record<string, unknown> };
}

/** The output of the bridge, and the signal that ends it. */
export interface BridgeOptions {
  /** Writes a message as one line. */
  write: (line: string) => void;
  /** Reports a problem to the person who configured the assistant. */
  report: (line: string) => void;
  signal: AbortSignal;
}

/**
 * Forwards the messages of an assistant to the API, one request each, and the responses back. The tools are the API's: the bridge
 * only converts connection failures to messages that the assistant can show to its model.
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
   * @param line the bytes of the message, or null if it exceeded the maximum length.
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
    // The API keeps no state between messages, so it ignores notifications and responses.
    if (id === undefined || id === null || method === undefined) return;
    const cancellation = new AbortController();
    this.#inProgress.set(id, cancellation);
    try {
      const signal = AbortSignal.any([cancellation.signal, this.#options.signal]);
      const reply = await this.#send(json, id, this.#headersOf(message), signal);
      // A cancelled request gets no response.
      if (reply === null) return;
      if (method === 'initialize') this.#version = reply.result?.protocolVersion ?? null;
      this.#options.write(jsonForTerminal(reply));
    } catch (error) {
      const text = explained(error);
      this.#options.report(`deal-signals mcp: ${text}`);
      // A model sees the result of a tool. Some assistants show nothing of a protocol error.
      if (method !== 'tools/call') this.#writeError(id, SERVER_ERROR, text);
      else this.#write({ id, result: { isError: true, content: [{ type: 'text', text }] } });
    } finally {
      this.#inProgress.delete(id);
    }
  }

  /** Returns the headers that repeat parts of a request, so that proxies need not parse it. */
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
      // A protocol error, such as an unsupported version, from which the assistant can recover.
      if (isReply(refusal)) return { response: Response.json(refusal) };
      return { response, error: refusalIn(refusal) };
    };
    const retryPolicy = { signal, giveUpAfterMs: GIVE_UP_AFTER_MS };
    return (await repeatUntilDone('mcp', send, isReply, retryPolicy)) as Reply | null;
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

/** `/mcp` is next to `/api/v1`, because the protocol has its own versions. */
function mcpUrl(baseUrl: string): string {
  return baseUrl.replace(/(\/api)?\/v\d+$/, '/mcp');
}

/** Returns the API's error from the body of a response that is not 2xx: a JSON-RPC error, or the format of all other routes. */
function refusalIn(refusal: unknown): unknown {
  const body = refusal as { error?: { message?: unknown; data?: { code?: unknown } } } | null;
  if (typeof body?.error !== 'object' || body.error === null) return body;
  const { message, data } = body.error;
  // The message begins with the code, which is also a separate field.
  return { error: String(message).replace(`${String(data?.code)}: `, ''), code: data?.code };
}

/** Returns a value as a header can carry it: unchanged if possible, otherwise encoded as the protocol defines. */
function headerValue(value: unknown): string {
  const text = String(value);
  const isPlain = /^[!-~](?:[ -~]*[!-~])?$/.test(text) && !text.startsWith('=?base64?');
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** Decodes a message; null if it is not UTF-8. */
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

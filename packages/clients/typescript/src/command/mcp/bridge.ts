import type { Connection } from '../../client.ts';
import { repeatUntilDone, type Sent } from '../../feeds/repeat.ts';
import { explainError } from '../explain.ts';
import { jsonForTerminal } from '../escape-for-terminal.ts';

/** Assistants give up after a minute, so a request has to fail earlier, with a reason. */
const GIVE_UP_AFTER_MS = 40_000;
const TIMEOUT_MS = 30_000;

/** The error codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const SERVER_ERROR = -32_000;

/** The field in which a request of revision 2026-07-28 or later states its protocol version. */
const VERSION = 'io.modelcontextprotocol/protocolVersion';

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

type Id = string | number;

/** The fields of a JSON-RPC message that the bridge reads. */
interface Message {
  id?: Id;
  method?: string;
  params?: { requestId?: Id; name?: unknown; _meta?: Record<string, unknown> };
}

/** Where the bridge writes, and when it stops. */
export interface BridgeOptions {
  /** Writes a message, as one line. */
  write: (line: string) => void;
  /** Reports a problem to the person who configured the assistant. */
  report: (line: string) => void;
  signal: AbortSignal;
}

/**
 * Forwards the messages of an assistant to the API, one request each, and returns its responses. The API defines the tools; the
 * bridge only converts connection failures into messages that the assistant can show to its model.
 */
export class Bridge {
  readonly #url: string;
  readonly #headers: Connection['headers'];
  readonly #options: BridgeOptions;
  /** The requests in progress, so that the assistant can cancel them. */
  readonly #inProgress = new Map<Id, AbortController>();
  /** The protocol version that the API has agreed to, if the assistant negotiated one: before revision 2026-07-28. */
  #version: string | null = null;

  constructor({ baseUrl, headers }: Connection, options: BridgeOptions) {
    this.#url = mcpUrl(baseUrl);
    this.#headers = headers;
    this.#options = options;
  }

  /**
   * Handles a message. Never rejects.
   *
   * @param line the bytes of the message, or null if it was too long.
   */
  async handle(line: Buffer | null): Promise<void> {
    if (line === null) {
      this.#writeError(
        null,
        INVALID_REQUEST,
        'the line is too long: the API accepts messages of at most 100 KiB',
      );
      return;
    }
    const json = decodeUtf8(line);
    if (json?.trim() === '') return;
    const message = json === null ? null : parseJson(json);
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
    // The API keeps no state between messages, so notifications and responses have no effect there.
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
      const text = explainError(error);
      this.#options.report(`deal-signals mcp: ${text}`);
      // The model sees the result of a tool. Some assistants do not show protocol errors.
      if (method !== 'tools/call') this.#writeError(id, SERVER_ERROR, text);
      else this.#write({ id, result: { isError: true, content: [{ type: 'text', text }] } });
    } finally {
      this.#inProgress.delete(id);
    }
  }

  /** Returns the headers that repeat parts of a request, so that proxies need not read its body. */
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
      const refusal = parseJson(await response.text());
      // A protocol error, such as one about the version, which tells the assistant how to continue.
      if (isReply(refusal)) return { response: Response.json(refusal) };
      return { response, error: readRefusal(refusal) };
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

/** Returns the API's error in the body of an unsuccessful response: a JSON-RPC error, or the error format of other routes. */
function readRefusal(refusal: unknown): unknown {
  const body = refusal as { error?: { message?: unknown; data?: { code?: unknown } } } | null;
  if (typeof body?.error !== 'object' || body.error === null) return body;
  const { message, data } = body.error;
  // The message begins with the code, which is also a field.
  return { error: String(message).replace(`${String(data?.code)}: `, ''), code: data?.code };
}

/** Encodes a value for a header: unchanged if possible, otherwise as the protocol specifies. */
function headerValue(value: unknown): string {
  const text = String(value);
  const isPlain = /^[!-~](?:[ -~]*[!-~])?$/.test(text) && !text.startsWith('=?base64?');
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** Decodes the text of a message; null if it is not UTF-8. */
function decodeUtf8(bytes: Buffer): string | null {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { createSecureContext, rootCertificates } from 'node:tls';
import axios, { type AxiosError, type LookupAddressEntry } from 'axios';
import { hostKey } from './endpoint-url.ts';
import { isPublicAddress } from './public-address.ts';
import { createHostResolver, type HostResolver } from './resolve-host.ts';
import { readExcerpt } from './response-excerpt.ts';
import {
  describeSendError,
  InterimFloodError,
  PrivateAddressError,
  ProtocolSwitchError,
} from './send-error.ts';

/** What a sender is allowed, and how long it waits. */
export interface SenderOptions {
  /** From the look-up of the host to the response headers; the body is read within the same time. */
  timeoutMs: number;
  /** Certificates in PEM form to trust beside the public authorities; null for those alone. */
  ca: string | null;
  /** Hosts and addresses to which the rule of the public host does not apply, as `hostKey` writes them. */
  allowedPrivateHosts: ReadonlySet<string>;
  /** The name servers to ask instead of those of the machine, as `createHostResolver` takes them. */
  dnsServers: readonly string[] | null;
}

/** One request. */
export interface SendRequest {
  url: URL;
  body: string;
  headers: Record<string, string>;
}

/** What a request came to. A receiver that fails is a value like any other, never an exception. */
export type SendResult =
  /** Response headers arrived in time. `durationMs` runs until then; `excerpt` is the beginning of the body. */
  | { kind: 'answered'; status: number; excerpt: string; durationMs: number }
  /** No answer; `error` says why in a few words that the receiver's people may read. */
  | { kind: 'failed'; error: string; durationMs: number }
  /** `close` cut it off. The receiver may or may not have got it, and is not to blame. */
  | { kind: 'interrupted' };

/** Sends signed requests to hosts that strangers have chosen. */
export interface Sender {
  send(request: SendRequest): Promise<SendResult>;
  /** Interrupts what is under way and closes the idle connections. */
  close(): void;
}

/** Shorter than the keep-alive time of common servers, so that we are usually the one who closes. */
const IDLE_CONNECTION_MS = 4_000;
const MOST_IDLE_CONNECTIONS_PER_HOST = 8;
/**
 * How long each of several addresses of a host may take to connect. Node's own 250 ms give up on a receiver that is
 * merely far away, and then call it failed because this machine has no IPv6 to try next.
 */
const CONNECT_PER_ADDRESS_MS = 2_500;
/** Interim responses (1xx) of one exchange. Real servers send one or two; each costs time to read. */
const MOST_INTERIM_RESPONSES = 16;

/**
 * Creates a sender.
 *
 * It connects to vetted addresses only, whatever the name resolves to at that moment; never follows a redirect or uses a
 * proxy, which would both carry the request to a host that nobody has vetted; always verifies the certificate; and never
 * decompresses, so that a small answer cannot become a large one.
 */
export function createSender(options: SenderOptions): Sender {
  const { timeoutMs, ca, allowedPrivateHosts } = options;
  const resolver = createHostResolver(options.dnsServers);
  const lookup = vettedLookup(resolver, allowedPrivateHosts);
  const connecting = {
    // Said outright, because NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would otherwise switch it off.
    rejectUnauthorized: true,
    autoSelectFamilyAttemptTimeout: CONNECT_PER_ADDRESS_MS,
    // Made once: with certificates of its own, each connection would parse the whole list of authorities again.
    ...(ca !== null && { secureContext: createSecureContext({ ca: [...rootCertificates, ca] }) }),
  };
  const pooled = new Agent({
    ...connecting,
    keepAlive: true,
    timeout: IDLE_CONNECTION_MS,
    maxFreeSockets: MOST_IDLE_CONNECTIONS_PER_HOST,
  });
  const fresh = new Agent({ ...connecting, keepAlive: false });
  const underWay = new Set<AbortController>();

  async function send(request: SendRequest): Promise<SendResult> {
    const controller = new AbortController();
    underWay.add(controller);
    const startedAt = performance.now();
    const elapsedMs = (): number => Math.round(performance.now() - startedAt);
    let isTimeOut = false;
    const timer = setTimeout(() => {
      isTimeOut = true;
      controller.abort();
    }, timeoutMs);
    try {
      const response = await post(request, controller.signal);
      const durationMs = elapsedMs();
      const excerpt = await readExcerpt(response.data, controller.signal);
      return { kind: 'answered', status: response.status, excerpt, durationMs };
    } catch (error) {
      const durationMs = elapsedMs();
      if (isTimeOut) return { kind: 'failed', error: `timeout after ${timeoutMs} ms`, durationMs };
      if (controller.signal.aborted) return { kind: 'interrupted' };
      return { kind: 'failed', error: describeSendError(error), durationMs };
    } finally {
      clearTimeout(timer);
      underWay.delete(controller);
    }
  }

  async function post(
    request: SendRequest,
    signal: AbortSignal,
  ): Promise<{ status: number; data: Readable }> {
    // `lookup` is not asked about an address that stands in the URL itself.
    const host = hostKey(request.url.hostname) ?? '';
    if (isIP(host) !== 0 && !allowedPrivateHosts.has(host) && !isPublicAddress(host)) {
      throw new PrivateAddressError();
    }
    const exchange = (agent: Agent) =>
      axios.request<Readable>({
        method: 'POST',
        url: request.url.href,
        // Bytes, because axios trims text that calls itself JSON, and the signature covers every byte.
        data: Buffer.from(request.body),
        headers: { Accept: '*/*', 'Accept-Encoding': 'identity', ...request.headers },
        httpsAgent: agent,
        lookup,
        transport: strictTransport,
        maxRedirects: 0,
        proxy: false,
        decompress: false,
        responseType: 'stream',
        validateStatus: () => true,
        signal,
      });
    try {
      return await exchange(pooled);
    } catch (error) {
      if (signal.aborted || !wasClosedWhileIdle(error)) throw error;
      return exchange(fresh);
    }
  }

  return {
    send,
    close() {
      for (const controller of underWay) controller.abort();
      resolver.close();
      pooled.destroy();
      fresh.destroy();
    },
  };
}

/**
 * What axios sends through: Node's own client, which reads any number of interim responses, and after an answer with 101
 * reports neither a response nor an error.
 */
const strictTransport = {
  request(options: RequestOptions, onResponse: (response: IncomingMessage) => void): ClientRequest {
    const request = httpsRequest(options, onResponse);
    let interimResponses = 0;
    request.on('information', () => {
      interimResponses += 1;
      if (interimResponses > MOST_INTERIM_RESPONSES) request.destroy(new InterimFloodError());
    });
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      // The request has let go of its connection by now, so that destroying it would tell nobody.
      request.emit('error', new ProtocolSwitchError());
    });
    return request;
  },
};

/**
 * Whether a kept connection turned out to be closed by the receiver. That is no failure of the receiver, and the request
 * is sent once more over a new connection: should the first one have arrived after all, the receiver sees a duplicate,
 * which delivery at least once allows for.
 */
function wasClosedWhileIdle(error: unknown): boolean {
  const { code, request } = error as AxiosError;
  const { reusedSocket } = (request ?? {}) as { reusedSocket?: boolean };
  return reusedSocket === true && (code === 'ECONNRESET' || code === 'EPIPE');
}

/**
 * A look-up that hands on only addresses that may be called. Node connects to one of exactly these, so a name cannot
 * resolve to one address when it is vetted and to another when it is called.
 */
function vettedLookup(resolver: HostResolver, allowedPrivateHosts: ReadonlySet<string>) {
  return async (hostname: string): Promise<[LookupAddressEntry[]]> => {
    const isExempt = allowedPrivateHosts.has(hostKey(hostname) ?? '');
    const addresses = await resolver.resolve(hostname, isExempt);
    if (isExempt) return [addresses];
    const vetted = addresses.filter(
      ({ address }) => allowedPrivateHosts.has(address) || isPublicAddress(address),
    );
    if (vetted.length === 0) throw new PrivateAddressError();
    return [vetted];
  };
}

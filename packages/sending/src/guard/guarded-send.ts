import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, type AgentOptions, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { createSecureContext, rootCertificates } from 'node:tls';
import {
  type AxiosError,
  AxiosHeaders,
  type AxiosResponse,
  getAdapter,
  type LookupAddressEntry,
} from 'axios';
import type { CustomHeader } from '../headers/custom-headers.ts';
import { retryAfterSeconds } from '../headers/retry-after.ts';
import { hostKey } from './host-key.ts';
import { isAllowedPrivateHost, getPort } from './private-hosts.ts';
import { createProxyTunnels } from './proxy-tunnel.ts';
import { isPublicAddress } from './public-address.ts';
import { createHostResolver, type HostResolver } from './resolve-host.ts';
import { readExcerpt } from './response-excerpt.ts';
import {
  describeSendError,
  describeTimeout,
  InterimFloodError,
  isFailureOnOurSide,
  isProxyFailure,
  PrivateAddressError,
  ProtocolSwitchError,
  type SendFailure,
} from './send-error.ts';

/** The hosts that a sender may connect to, and its timeouts. */
export interface SenderOptions {
  /** Timeout for everything from the DNS lookup to the response headers. The body is read within the same limit. */
  timeoutMs: number;
  /** Certificates in PEM form to trust in addition to the public authorities; null to trust only those. */
  ca: string | null;
  /** Hosts and addresses that need not be public, in the form of `privateHostEntry`. */
  allowedPrivateHosts: ReadonlySet<string>;
  /** The name servers to use instead of the machine's, as for `createHostResolver`. Tests set their own. */
  dnsServers?: readonly string[];
  /** The HTTP proxy for all connections, as for `createProxyTunnels`; null or omitted for none. */
  proxy?: URL | null;
  /** How long a successful DNS lookup or connection proves that DNS or our network works; a minute by default. */
  worksForMs?: number;
}

/** A request to send. */
export interface SendRequest {
  url: URL;
  body: string;
  headers: Record<string, string>;
  /** The headers that the endpoint's owner has chosen, checked with `checkHeader`. */
  customHeaders?: readonly CustomHeader[];
}

/** The result of a request. A failure of the receiver is a result, never an exception. */
export type SendResult =
  /**
   * Response headers arrived in time, after `durationMs`. `excerpt` is the beginning of the body. `retryAfterSeconds` is the wait
   * that a 429 or 503 asks for.
   */
  | {
      kind: 'responded';
      status: number;
      excerpt: string;
      durationMs: number;
      retryAfterSeconds?: number;
    }
  /** No response arrived. */
  | ({ kind: 'failed'; durationMs: number } & SendFailure)
  /**
   * The request was not sent, for a reason on our side: the operator's settings forbid the URL, or DNS or our network does not
   * work.
   */
  | ({ kind: 'not_sent'; durationMs: number } & SendFailure)
  /** `close` interrupted the request. The receiver may have received it, and is not at fault. */
  | { kind: 'interrupted' };

/** Sends signed requests to hosts that customers have chosen and that cannot be trusted. */
export interface Sender {
  send(request: SendRequest): Promise<SendResult>;
  /** Interrupts the running requests and closes the idle connections. */
  close(): void;
}

/** Shorter than the keep-alive timeout of common servers, so that usually this side closes the connection. */
const IDLE_CONNECTION_MS = 4_000;
/**
 * The default number of concurrent attempts of a worker. With fewer, connections would be closed after each burst to a host, and
 * a new TLS connection costs a worker more than the rest of an attempt.
 */
const MAX_IDLE_CONNECTIONS_PER_HOST = 100;
/**
 * How long connecting to one of several addresses of a host may take. Node's default of 250 ms is too short for a distant
 * receiver: Node would give up on the IPv4 address, try IPv6, and fail on a machine without IPv6.
 */
const CONNECT_PER_ADDRESS_MS = 2_500;
/**
 * DNS or a network that worked this recently is assumed to work, so a failed lookup or a missing route is the receiver's failure.
 * The time is longer than a busy worker goes without a success. It is short enough that an outage on our side counts as one or
 * two of the 20 failures that disable an endpoint.
 */
const WORKS_FOR_MS = 60_000;
/** Statuses of a receiver that is temporarily busy or unavailable. */
const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([429, 503]);
/** Maximum number of interim responses (1xx) to a request. Real servers send one or two; each takes time to read. */
const MAX_INTERIM_RESPONSES = 16;

/**
 * Creates a sender.
 *
 * A sender connects only to addresses that it has checked itself, at the time of the connection, also through the proxy of its
 * options. It never follows a redirect and uses no other proxy, because both would send the request to an unchecked host. It
 * always verifies the certificate. It never decompresses, so a small response cannot become a large one.
 */
export function createSender(options: SenderOptions): Sender {
  const { timeoutMs, ca, allowedPrivateHosts, proxy = null } = options;
  const resolver = createHostResolver(options.dnsServers);
  const tunnels = proxy && createProxyTunnels(proxy);
  const { worksForMs = WORKS_FOR_MS } = options;
  /** When DNS last found a name, and when a connection was last opened, in terms of `performance.now()`. */
  const workedAtMs = { dns: -Infinity, network: -Infinity };
  const connecting = {
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would otherwise disable verification.
    rejectUnauthorized: true,
    autoSelectFamilyAttemptTimeout: CONNECT_PER_ADDRESS_MS,
    // Created once: with the `ca` option, each connection would parse the whole list of authorities again.
    ...(ca !== null && { secureContext: createSecureContext({ ca: [...rootCertificates, ca] }) }),
  };
  const newAgent = (agentOptions: AgentOptions): Agent =>
    tunnels === null
      ? new Agent({ ...connecting, ...agentOptions })
      : tunnels.agent(
          { ...connecting, ...agentOptions },
          { timeoutMs, perAddressMs: CONNECT_PER_ADDRESS_MS },
        );
  const pooled = newAgent({
    keepAlive: true,
    timeout: IDLE_CONNECTION_MS,
    maxFreeSockets: MAX_IDLE_CONNECTIONS_PER_HOST,
  });
  const fresh = newAgent({ keepAlive: false });
  const underWay = new Set<AbortController>();

  async function send(request: SendRequest): Promise<SendResult> {
    const controller = new AbortController();
    underWay.add(controller);
    const startedAt = performance.now();
    const elapsedMs = (): number => Math.round(performance.now() - startedAt);
    let isTimeOut = false;
    const progress: Progress = {
      stage: isIP(hostKey(request.url.hostname) ?? '') === 0 ? 'name' : 'connection',
    };
    const timer = setTimeout(() => {
      isTimeOut = true;
      controller.abort();
    }, timeoutMs);
    try {
      const response = await post(request, controller.signal, progress, (socket) =>
        onceConnected(socket, () => {
          progress.stage = 'response';
          workedAtMs.network = performance.now();
        }),
      );
      const durationMs = elapsedMs();
      const excerpt = await readExcerpt(response.data, controller.signal);
      const { status, headers } = response;
      const asked = TEMPORARY_STATUSES.has(status)
        ? (headers['retry-after'] as string | undefined)
        : undefined;
      const wait = retryAfterSeconds(asked, Date.now());
      return {
        kind: 'responded',
        status,
        excerpt,
        durationMs,
        ...(wait !== null && { retryAfterSeconds: wait }),
      };
    } catch (error) {
      const durationMs = elapsedMs();
      if (controller.signal.aborted && !isTimeOut) return { kind: 'interrupted' };
      const failure = isTimeOut ? describeTimeout(timeoutMs) : describeSendError(error);
      const isOurs = isTimeOut
        ? progress.stage === 'name' && !worksNow('dns')
        : isProxyFailure(error) || (progress.stage !== 'response' && isFailureOnOurSide(error, worksNow));
      return { kind: isOurs ? 'not_sent' : 'failed', ...failure, durationMs };
    } finally {
      clearTimeout(timer);
      underWay.delete(controller);
    }
  }

  /** Reports whether DNS or our network has worked recently. */
  function worksNow(what: 'dns' | 'network'): boolean {
    return performance.now() - workedAtMs[what] < worksForMs;
  }

  async function post(
    request: SendRequest,
    signal: AbortSignal,
    progress: Progress,
    onSocket: (socket: Socket) => void,
  ): Promise<{ status: number; headers: AxiosResponse['headers']; data: Readable }> {
    // `lookup` is not called if the host is an IP address.
    const host = hostKey(request.url.hostname) ?? '';
    const isAllowed = (name: string): boolean =>
      isAllowedPrivateHost(allowedPrivateHosts, name, getPort(request.url));
    if (isIP(host) !== 0 && !isAllowed(host) && !isPublicAddress(host)) throw new PrivateAddressError();
    const lookUp = vettedLookup(resolver, isAllowed);
    const lookup = async (hostname: string) => {
      const found = await lookUp(hostname);
      progress.stage = 'connection';
      workedAtMs.dns = performance.now();
      return found;
    };
    const exchange = (agent: Agent) =>
      exchangeByAxios({
        method: 'POST',
        url: request.url.href,
        // Bytes, because axios trims JSON text, and the signature covers every byte.
        data: Buffer.from(request.body),
        headers: new AxiosHeaders({ Accept: '*/*', 'Accept-Encoding': 'identity', ...request.headers }),
        httpsAgent: agent,
        lookup,
        transport: strictTransport(onSocket, request.customHeaders ?? []),
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
      tunnels?.close();
      pooled.destroy();
      fresh.destroy();
    },
  };
}

/**
 * The part of axios that sends a request. The rest of axios merges its defaults into each request and runs its transformations,
 * none of which are used here, for 0.11 of 0.44 ms of CPU time per request.
 */
const exchangeByAxios = getAdapter('http');

/** The progress of a request. */
interface Progress {
  stage: 'name' | 'connection' | 'response';
}

/** @param onConnected called when the socket is connected: after opening a new connection, or at once for a kept one. */
function onceConnected(socket: Socket, onConnected: () => void): void {
  if (socket.connecting) socket.once('connect', onConnected);
  else onConnected();
}

/**
 * The transport for axios: Node's client with two more checks. On its own, Node's client reads any number of interim responses,
 * and after a 101 it reports neither a response nor an error.
 *
 * @param onSocket called with the socket of the request, which may not be connected yet.
 * @param customHeaders added here because axios keeps headers as properties of an object with methods: a header named like a
 *   method would replace it.
 */
function strictTransport(onSocket: (socket: Socket) => void, customHeaders: readonly CustomHeader[]) {
  return {
    request(options: RequestOptions, onResponse: (response: IncomingMessage) => void): ClientRequest {
      const request = httpsRequest(options, onResponse);
      for (const [name, value] of customHeaders) request.setHeader(name, value);
      request.on('socket', onSocket);
      let interimResponses = 0;
      request.on('information', () => {
        interimResponses += 1;
        if (interimResponses > MAX_INTERIM_RESPONSES) request.destroy(new InterimFloodError());
      });
      request.on('upgrade', (_, socket) => {
        socket.destroy();
        // The request no longer owns its connection here, so destroying the request would not emit an error.
        request.emit('error', new ProtocolSwitchError());
      });
      return request;
    },
  };
}

/**
 * Reports whether the receiver closed a kept-alive connection before it got the request. That is not a failure of the receiver,
 * so the request is sent once more over a new connection. If the first request did arrive, the receiver sees a duplicate, which
 * at-least-once delivery allows.
 */
function wasClosedWhileIdle(error: unknown): boolean {
  const { code, request } = error as AxiosError;
  const { reusedSocket } = (request ?? {}) as { reusedSocket?: boolean };
  return reusedSocket === true && (code === 'ECONNRESET' || code === 'EPIPE');
}

/**
 * Creates a DNS lookup that returns only addresses that may be called. Node connects to one of exactly these addresses, so a name
 * cannot resolve to one address for the check and to another for the connection (DNS rebinding).
 *
 * @param isAllowed reports whether the operator has allowed a host or an address, at the port of the request, although it is not
 *   public.
 */
function vettedLookup(resolver: HostResolver, isAllowed: (host: string) => boolean) {
  return async (hostname: string): Promise<[LookupAddressEntry[]]> => {
    const isExempt = isAllowed(hostKey(hostname) ?? '');
    const addresses = await resolver.resolve(hostname, isExempt);
    if (isExempt) return [addresses];
    const vetted = addresses.filter(({ address }) => isAllowed(address) || isPublicAddress(address));
    if (vetted.length === 0) throw new PrivateAddressError();
    return [vetted];
  };
}

import { request } from 'node:http';
import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import { isIP, isIPv6, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HostAddress } from './resolve-host.ts';
import { ProxyError, TunnelError } from './send-error.ts';

/** A checked address, and a port. */
export interface TunnelEnd {
  address: string;
  port: number;
}

/** Connections through an HTTP proxy, which forwards bytes to the address of a `CONNECT` request (RFC 9110). */
export interface ProxyTunnels {
  /**
   * Opens a connection to an address through the proxy.
   *
   * @throws ProxyError if the proxy cannot be used; TunnelError if it did not reach the address.
   */
  open(end: TunnelEnd, timeoutMs: number): Promise<Socket>;
  /** Creates an agent that opens all its connections through the proxy. */
  agent(options: AgentOptions, limits: TunnelLimits): Agent;
  /** Aborts the connections that are being opened. */
  close(): void;
}

/** Timeouts for opening a connection. */
export interface TunnelLimits {
  timeoutMs: number;
  /** The timeout for an address while there are others to try. */
  perAddressMs: number;
}

/**
 * Creates tunnels through a proxy.
 *
 * The proxy is always given an address and never a name, which it could resolve to another address than the checked one. TLS is
 * end to end through the tunnel, so the proxy sees neither requests nor headers.
 *
 * @param proxy `http://host:port`, with or without credentials.
 */
export function createProxyTunnels(proxy: URL): ProxyTunnels {
  const closing = new AbortController();

  function open({ address, port }: TunnelEnd, timeoutMs: number): Promise<Socket> {
    const authority = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
    const timeout = AbortSignal.timeout(timeoutMs);
    return new Promise((resolve, reject) => {
      const connecting = request({
        method: 'CONNECT',
        // Node expects an IPv6 address without brackets.
        host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: proxy.port === '' ? 80 : Number(proxy.port),
        path: authority,
        headers: { Host: authority, ...authorizationHeader(proxy) },
        agent: false,
        signal: AbortSignal.any([closing.signal, timeout]),
      });
      let isAtProxy = false;
      connecting.on('socket', (socket) => socket.once('connect', () => (isAtProxy = true)));
      connecting.on('connect', ({ statusCode = 0 }, socket: Socket, head) => {
        // In a TLS handshake, the receiver never sends first.
        const problem =
          head.length > 0 ? new ProxyError('proxy sent data too early') : toConnectError(statusCode);
        if (problem === null) return resolve(socket);
        socket.destroy();
        reject(problem);
      });
      connecting.on('error', ({ code }: NodeJS.ErrnoException) =>
        // A proxy that has accepted the connection may still be waiting for the receiver.
        reject(
          isAtProxy && timeout.aborted ? new TunnelError() : new ProxyError(`proxy: ${code ?? 'failed'}`),
        ),
      );
      connecting.end();
    });
  }

  class TunnelAgent extends Agent {
    readonly #limits: TunnelLimits;

    constructor(options: AgentOptions, limits: TunnelLimits) {
      super(options);
      this.#limits = limits;
    }

    override createConnection(
      options: RequestOptions,
      callback: (error: Error | null, socket: Duplex) => void,
    ): undefined {
      void this.#connectFor(options, callback);
    }

    async #connectFor(
      options: RequestOptions,
      callback: (error: Error | null, socket: Duplex) => void,
    ): Promise<void> {
      let socket: Duplex;
      try {
        socket = await this.#connect(options);
      } catch (error) {
        // Node's types require a socket here as well.
        callback(error as Error, null as never);
        return;
      }
      callback(null, socket);
    }

    async #connect(options: RequestOptions): Promise<Duplex> {
      const { timeoutMs, perAddressMs } = this.#limits;
      const addresses = await findAddresses(options);
      let failure: unknown = new TunnelError();
      for (const [index, address] of addresses.entries()) {
        const end = { address, port: Number(options.port) };
        try {
          const socket = await open(end, index < addresses.length - 1 ? perAddressMs : timeoutMs);
          return super.createConnection({ ...options, socket } as RequestOptions) as Duplex;
        } catch (error) {
          failure = error;
          if (error instanceof ProxyError) break;
        }
      }
      throw failure;
    }
  }

  return {
    open,
    agent: (options, limits) => new TunnelAgent(options, limits),
    close() {
      closing.abort();
    },
  };
}

/** Returns the addresses to try, in order: the host itself, or the result of the request's vetted lookup. */
function findAddresses({ host, lookup }: RequestOptions & { lookup?: LookupFunction }): Promise<string[]> {
  const name = host ?? '';
  if (isIP(name) !== 0) return Promise.resolve([name]);
  return new Promise((resolve, reject) => {
    if (lookup === undefined) throw new TypeError('a tunnel requires the vetted lookup');
    lookup(name, { all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve((addresses as HostAddress[]).map(({ address }) => address));
    });
  });
}

/**
 * Returns the error for a response to `CONNECT`; null if the tunnel is open. A 5xx means that the proxy did not reach the
 * address. Any other status is a problem between the proxy and us, such as missing credentials or a forbidden port.
 */
function toConnectError(statusCode: number): Error | null {
  if (statusCode >= 200 && statusCode <= 299) return null;
  return statusCode >= 500 ? new TunnelError() : new ProxyError(`proxy responded with ${statusCode}`);
}

function authorizationHeader({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

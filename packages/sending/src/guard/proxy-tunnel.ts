import { request } from 'node:http';
import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import { isIP, isIPv6, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HostAddress } from './resolve-host.ts';
import { ProxyError, TunnelError } from './send-error.ts';

/** An address that was checked, and a port. */
export interface TunnelEnd {
  address: string;
  port: number;
}

/** Connections through an HTTP proxy, which passes bytes on to the address that `CONNECT` names (RFC 9110). */
export interface ProxyTunnels {
  /**
   * Opens a connection to an address through the proxy.
   *
   * @throws ProxyError if the proxy cannot be used; TunnelError if it did not reach the address.
   */
  open(end: TunnelEnd, timeoutMs: number): Promise<Socket>;
  /** Creates an agent that opens all its connections through the proxy. */
  agent(options: AgentOptions, limits: TunnelLimits): Agent;
  /** Gives up the connections that are being opened. */
  close(): void;
}

/** How long opening a connection may take. */
export interface TunnelLimits {
  timeoutMs: number;
  /** The limit for an address while there are others to try. */
  perAddressMs: number;
}

/**
 * Creates tunnels through a proxy.
 *
 * The proxy is asked for an address and never for a name: a name could resolve to another address there than the one that
 * was checked here. TLS runs through the tunnel from end to end, so the proxy sees neither requests nor headers.
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
        // Node takes an IPv6 address without brackets.
        host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: proxy.port === '' ? 80 : Number(proxy.port),
        path: authority,
        headers: { Host: authority, ...credentialsOf(proxy) },
        agent: false,
        signal: AbortSignal.any([closing.signal, timeout]),
      });
      let isAtProxy = false;
      connecting.on('socket', (socket) => socket.once('connect', () => (isAtProxy = true)));
      connecting.on('connect', ({ statusCode = 0 }, socket: Socket, head) => {
        // The receiver of a TLS handshake never speaks first.
        const problem = head.length > 0 ? new ProxyError('proxy sent data too early') : refusalOf(statusCode);
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
        // Node's types want a socket here as well.
        callback(error as Error, null as never);
        return;
      }
      callback(null, socket);
    }

    async #connect(options: RequestOptions): Promise<Duplex> {
      const { timeoutMs, perAddressMs } = this.#limits;
      const addresses = await addressesOf(options);
      let failure: unknown = new TunnelError();
      for (const [place, address] of addresses.entries()) {
        const end = { address, port: Number(options.port) };
        try {
          const socket = await open(end, place < addresses.length - 1 ? perAddressMs : timeoutMs);
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

/** The addresses to try, in this order: the host itself, or what the vetted look-up of the request returns. */
function addressesOf({ host, lookup }: RequestOptions & { lookup?: LookupFunction }): Promise<string[]> {
  const name = host ?? '';
  if (isIP(name) !== 0) return Promise.resolve([name]);
  return new Promise((resolve, reject) => {
    if (lookup === undefined) throw new TypeError('a tunnel needs the vetted look-up');
    lookup(name, { all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve((addresses as HostAddress[]).map(({ address }) => address));
    });
  });
}

/**
 * What a response to `CONNECT` means; null if the tunnel is open. With a 5xx the proxy says that it did not reach the
 * address. Anything else is between the proxy and us, such as missing credentials or a port that it does not allow.
 */
function refusalOf(statusCode: number): Error | null {
  if (statusCode >= 200 && statusCode <= 299) return null;
  return statusCode >= 500 ? new TunnelError() : new ProxyError(`proxy responded with ${statusCode}`);
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { Configuration, Provider } from 'oidc-provider';

// The library notes on the console what is not fit for production.
console.info = console.warn = () => {};
const library = await import('oidc-provider');

/** A key of an issuer. */
export interface IssuerKey {
  kid: string;
  alg: string;
  jwk: JWK;
}

/** Generates a key pair under an id. */
export async function newKey(kid: string, alg = 'RS256'): Promise<IssuerKey> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, jwk: { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' } };
}

/** Signs a token by hand. Undefined claims are omitted, and `header` can replace what the key says. */
export async function signToken(key: IssuerKey, claims: JWTPayload, header: object = {}): Promise<string> {
  const given = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  return new SignJWT(given).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.jwk);
}

/** A real authorization server on this machine, in which everybody who comes is a user and grants everything. */
export class Issuer {
  readonly url: string;
  /** The paths of the requests so far. */
  readonly requests: string[] = [];
  /** What its access tokens say besides the standard claims. */
  claims: Record<string, unknown> = { companyId: 1 };
  lifetimeSeconds = 600;
  /** Serves something else for a while. */
  override: RequestListener | null = null;
  readonly #port: number;
  readonly #audience: string;
  #server: Server | null;
  #handle: RequestListener = () => {};

  private constructor(server: Server, audience: string) {
    this.#server = server;
    this.#audience = audience;
    this.#port = (server.address() as AddressInfo).port;
    this.url = `http://127.0.0.1:${this.#port}`;
  }

  static async start(audience: string, ...keys: IssuerKey[]): Promise<Issuer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new Issuer(server, audience);
    if (keys.length > 0) issuer.rotate(...keys);
    issuer.#listen(server);
    return issuer;
  }

  #listen(server: Server): void {
    server.on('request', (request, response) => {
      this.requests.push(request.url ?? '');
      (this.override ?? this.#handle)(request, response);
    });
  }

  /** Replaces the keys, the first of which signs. */
  rotate(...keys: IssuerKey[]): void {
    this.#handle = this.#createProvider(keys);
  }

  /** Takes the server away. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    server?.close();
    server?.closeAllConnections();
    if (server?.listening) await once(server, 'close');
  }

  async restart(): Promise<void> {
    this.#server = createServer().listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#listen(this.#server);
  }

  /** How often the keys were fetched. */
  get fetches(): number {
    return this.requests.filter((path) => path === '/jwks').length;
  }

  /** Gets an access token for the client of the tests, as machines do. */
  async grant(scope = 'read', resource = this.#audience): Promise<string> {
    const response = await fetch(`${this.url}/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${Buffer.from('machine:secret').toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource }),
    });
    const body = (await response.json()) as { access_token: string };
    if (!response.ok) throw new Error(JSON.stringify(body));
    return body.access_token;
  }

  #createProvider(keys: readonly IssuerKey[]): RequestListener {
    const alg = keys[0]!.alg;
    const configuration: Configuration = {
      jwks: { keys: keys.map(({ jwk }) => jwk) as never },
      cookies: { keys: ['a key of the tests'] },
      scopes: ['openid', 'read', 'read:calls', 'read:rooms', 'read:engagement', 'read:deliveries', 'other'],
      clients: [
        {
          client_id: 'machine',
          client_secret: 'secret',
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
        },
      ],
      clientDefaults: { id_token_signed_response_alg: alg as never },
      enabledJWA: { idTokenSigningAlgValues: [alg as never, 'RS256'] },
      findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
      extraTokenClaims: () => this.claims,
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        revocation: { enabled: true },
        registration: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_context, audience) => ({
            scope: 'read read:calls read:rooms read:engagement read:deliveries other',
            audience,
            accessTokenFormat: 'jwt',
            accessTokenTTL: this.lifetimeSeconds,
            jwt: { sign: { alg: alg as never } },
          }),
        },
      },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    };
    const provider = new library.Provider(this.url, configuration);
    const handle = provider.callback();
    return (request, response) => {
      if (!request.url?.startsWith('/interaction/')) {
        void handle(request, response);
        return;
      }
      void this.#consent(provider, request).then((result) =>
        provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true }),
      );
    };
  }

  /** Signs the user in, and grants what the client asks for. */
  async #consent(provider: Provider, request: IncomingMessage) {
    const details = await provider.interactionDetails(request, {} as never);
    if (details.prompt.name === 'login') return { login: { accountId: 'ann' } };
    const grant = new provider.Grant({
      accountId: 'ann',
      clientId: String(details.params['client_id']),
    });
    grant.addOIDCScope(String(details.params['scope']));
    grant.addResourceScope(this.#audience, String(details.params['scope']));
    return { consent: { grantId: await grant.save() } };
  }
}

/** Follows the redirects of a browser, with its cookies, from one address to the first that begins with another. */
export async function browse(from: URL, until: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = from;
  for (let steps = 0; !url.href.startsWith(until); steps += 1) {
    if (steps === 20) throw new Error(`still at ${url.href}`);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${url.href}: ${response.status} ${await response.text()}`);
    url = new URL(location, url);
  }
  return url;
}

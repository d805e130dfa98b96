import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { until } from '@deal-signals/test-kit/until';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type IssuerKey, newKey, signToken } from './issuer.ts';
import { type OAuthApi, openOAuthApi } from './oauth-api.ts';

// The keys of an issuer: rotated, withdrawn, or not to be had. The clock of the process is set ahead instead of waiting.

let one: IssuerKey;
let two: IssuerKey;
let world: OAuthApi;

beforeEach(async () => {
  aheadMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => clock() + aheadMs);
  [one, two] = await Promise.all([newKey('one'), newKey('two')]);
  world = await openOAuthApi([one], (issuer) => ({
    sessions: { jwksUrl: `${issuer}/jwks`, issuer: null, audience: null },
  }));
  await addCompany(world.api.db, 1);
});

afterEach(async () => {
  jest.restoreAllMocks();
  await world.close();
});

const clock = performance.now.bind(performance);
let aheadMs = 0;

/** Sets the clock ahead that measures how old the keys are. */
function pass(seconds: number): void {
  aheadMs += seconds * 1_000;
}

const now = () => Math.floor(Date.now() / 1_000);
const tokenOf = (key: IssuerKey, change: object = {}) =>
  signToken(key, {
    iss: world.issuer.url,
    aud: world.url,
    client_id: 'assistant',
    companyId: 1,
    exp: now() + 600,
    // Requests with the same token would share one verification.
    jti: randomUUID(),
    ...change,
  });
const sessionOf = (key: IssuerKey) =>
  signToken(key, {
    sub: '7',
    companyId: 1,
    permissions: ['integrations.crm'],
    exp: now() + 600,
    jti: randomUUID(),
  });

/** The two kinds of tokens whose keys are fetched, each with a way to use one. */
const USES: [string, (key: IssuerKey) => Promise<{ status: number; retryAfter: string | null }>][] = [
  [
    'an access token',
    async (key) => {
      const { status, headers } = await world.send(await tokenOf(key));
      return { status, retryAfter: headers.get('retry-after') };
    },
  ],
  [
    'a session',
    async (key) => {
      const { status, headers } = await world.api.get('/webhooks', await sessionOf(key));
      return { status, retryAfter: headers['retry-after'] ?? null };
    },
  ],
];

/** The gauge of unavailable issuers, for each kind of token that was used. */
async function unavailable(): Promise<number[]> {
  const metric = world.api.deps.metrics.registry.getSingleMetric('deal_signals_issuer_unavailable');
  return (await metric!.get()).values.map(({ value }) => value);
}

const OK = { status: 200, retryAfter: null };
const INVALID = { status: 401, retryAfter: null };

describe.each(USES)('the key of %s', (_what, use) => {
  test('is fetched once, also for many requests at a time', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => use(one)));
    expect([all, world.issuer.fetches]).toEqual([[OK, OK, OK, OK, OK], 1]);
    expect([await use(one), world.issuer.fetches]).toEqual([OK, 1]);
  });

  test('can be rotated without a restart', async () => {
    await use(one);
    world.issuer.rotate(two, one);
    pass(60);
    expect([await use(two), await use(one), world.issuer.fetches]).toEqual([OK, OK, 2]);
  });

  test('is looked for at most once a minute if it is unknown', async () => {
    expect(await use(two)).toEqual(INVALID);
    for (let n = 0; n < 3; n += 1) expect(await use(two)).toEqual(INVALID);
    expect(world.issuer.fetches).toBe(1);
    pass(59);
    expect([await use(two), world.issuer.fetches]).toEqual([INVALID, 1]);
    pass(1);
    const all = await Promise.all([use(two), use(two), use(two)]);
    expect([all, world.issuer.fetches]).toEqual([[INVALID, INVALID, INVALID], 2]);
  });

  test('is not accepted ten minutes after it was withdrawn, even if nothing was used since', async () => {
    await use(one);
    world.issuer.rotate(two);
    pass(600);
    expect([await use(one), world.issuer.fetches]).toEqual([INVALID, 2]);
  });

  test('is fetched every five minutes, without a wait', async () => {
    await use(one);
    world.issuer.rotate(two);
    pass(299);
    expect([await use(one), world.issuer.fetches]).toEqual([OK, 1]);
    pass(1);
    expect(await use(one)).toEqual(OK);
    await until('the keys were fetched', () => world.issuer.fetches === 2);
    await until('the key is refused', async () => (await use(one)).status === 401);
  });

  test('goes on while the issuer is away, and unknown ones get 503', async () => {
    await use(one);
    await world.issuer.stop();
    pass(700);
    expect(await use(one)).toEqual(OK);
    expect(await use(two)).toEqual({ status: 503, retryAfter: '60' });
    expect(await unavailable()).toEqual([1]);
    pass(30);
    expect([await use(two), await use(one)]).toEqual([{ status: 503, retryAfter: '30' }, OK]);
    await world.issuer.restart();
    world.issuer.rotate(two, one);
    pass(30);
    expect([await use(two), await use(one), await unavailable()]).toEqual([OK, OK, [0]]);
    const warnings = world.api.log.filter(({ level }) => level === 'warn');
    expect(warnings.map(({ message }) => message)).toContain('could not fetch the keys that verify tokens');
  });

  test('is fetched again after five seconds if there is none yet', async () => {
    await world.issuer.stop();
    expect(await use(one)).toEqual({ status: 503, retryAfter: '5' });
    await world.issuer.restart();
    expect(await use(one)).toEqual({ status: 503, retryAfter: '5' });
    pass(5);
    expect(await use(one)).toEqual(OK);
  });
});

describe('an issuer that responds with', () => {
  /** Serves good metadata and keys, apart from what `change` serves at a path. */
  const serving =
    (change: (path: string) => unknown): RequestListener =>
    (request, response) => {
      const path = request.url ?? '';
      const { kty, n, e, kid, alg } = one.jwk;
      const body =
        change(path) ??
        (path.endsWith('/jwks')
          ? { keys: [{ kty, n, e, kid, alg }] }
          : { issuer: world.issuer.url, jwks_uri: `${world.issuer.url}/jwks` });
      if (typeof body === 'number') response.writeHead(body, { Location: '/moved' }).end();
      else response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
  const isMetadata = (path: string) => path.startsWith('/.well-known');
  const statusWith = async (change: (path: string) => unknown) => {
    world.issuer.override = serving(change);
    const { status, headers } = await world.send(await tokenOf(one));
    return [status, headers.get('retry-after')];
  };

  // Without this, a mistake above would make all the responses below wrong.
  test('what it should is an issuer', async () => {
    expect(await statusWith(() => undefined)).toEqual([200, null]);
  });

  const jwksAt = (path: string, issuer: string, jwks: string) =>
    isMetadata(path) ? { issuer, jwks_uri: jwks } : undefined;

  test.each<[string, (path: string) => unknown]>([
    [
      'metadata of another issuer',
      (path) => jwksAt(path, 'https://other.example', `${world.issuer.url}/jwks`),
    ],
    [
      'a plain address of its keys on another host',
      // The same server under a name that is not taken for this machine.
      (path) =>
        jwksAt(path, world.issuer.url, `${world.issuer.url.replace('127.0.0.1', '[::ffff:127.0.0.1]')}/jwks`),
    ],
    ['a redirect of its metadata', (path) => (isMetadata(path) ? 302 : undefined)],
    ['a page', () => '<html>down</html>'],
    ['an error', () => 500],
    [
      'more than it should',
      (path) => (path === '/jwks' ? { keys: [one.jwk], more: 'x'.repeat(300 * 1_024) } : undefined),
    ],
    ['something else than keys', (path) => (path === '/jwks' ? { keys: 1 } : undefined)],
  ])('%s is as good as away', async (_what, change) => {
    expect(await statusWith(change)).toEqual([503, '5']);
  });

  test('an issuer that never responds is waited for for five seconds', async () => {
    world.issuer.override = () => {};
    const since = Date.now();
    expect((await world.send(await tokenOf(one))).status).toBe(503);
    expect(Date.now() - since).toBeLessThan(9_000);
  });
});

test('metadata of OpenID Connect are found for an issuer with a path', async () => {
  const issuer = `${world.issuer.url}/tenant/`;
  const own = await openOAuthApi([], () => ({ oauth: { issuer, audience: world.url } }));
  world.issuer.override = (request, response) => {
    if (request.url === '/tenant/.well-known/openid-configuration')
      response.end(JSON.stringify({ issuer, jwks_uri: `${world.issuer.url}/keys` }));
    else if (request.url === '/keys') {
      const { kty, n, e, kid, alg } = one.jwk;
      response.end(JSON.stringify({ keys: [{ kty, n, e, kid, alg }] }));
    } else response.writeHead(404).end();
  };
  try {
    await addCompany(own.api.db, 1);
    expect((await own.send(await tokenOf(one, { iss: issuer }))).status).toBe(200);
    expect(world.issuer.requests).toEqual([
      '/.well-known/oauth-authorization-server/tenant',
      '/tenant/.well-known/openid-configuration',
      '/keys',
    ]);
  } finally {
    await own.close();
  }
});

// A token contains everything that is checked, so not even its issuer can revoke it: it is valid until its `exp`.
test('a token cannot be revoked, and is accepted until it expires', async () => {
  world.issuer.lifetimeSeconds = 2;
  const token = await world.issuer.grant();
  const response = await fetch(`${world.issuer.url}/token/revocation`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from('machine:secret').toString('base64')}` },
    body: new URLSearchParams({ token }),
  });
  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({ error: 'unsupported_token_type' }),
  ]);
  expect((await world.send(token)).status).toBe(200);
  await until('the token has expired', async () => (await world.send(token)).status === 401);
});

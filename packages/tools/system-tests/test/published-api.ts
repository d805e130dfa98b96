import { signSessionToken } from '@deal-signals/local-stack/demo/sign-session-token';
import { TEST_SECRETS } from '@deal-signals/test-kit/processes';
import { checkAgainst, type DescriptionCheck } from '@deal-signals/test-kit/published-description';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';

/** Returns a session token of an admin of the workspace. */
export function adminToken(companyId = COMPANY): string {
  return signSessionToken(
    { userId: 7, companyId, permissions: ['integrations.crm'], ttlSeconds: 600 },
    TEST_SECRETS.SESSION_JWT_SECRET,
  );
}

/** A response with its parsed JSON body. */
export interface JsonResponse {
  status: number;
  body: any;
}

const checks = new Map<string, Promise<DescriptionCheck>>();

/** Returns a check against the published description of an API. */
export function descriptionOf(url: string): Promise<DescriptionCheck> {
  const address = new URL('/api/v1/openapi.json', url).href;
  const check =
    checks.get(address) ?? fetch(address).then(async (response) => checkAgainst(await response.json()));
  checks.set(address, check);
  return check;
}

/**
 * Calls the API.
 *
 * @throws Error if the response differs from the description.
 */
export async function request(
  url: string,
  token: string,
  init: { method?: string; body?: unknown } = {},
): Promise<JsonResponse> {
  const response = await fetch(url, {
    method: init.method ?? 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
  });
  const text = await response.text();
  const check = await descriptionOf(url);
  const problems = check.problemsOf({
    method: init.method ?? 'GET',
    path: new URL(url).pathname,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: text,
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { status: response.status, body: JSON.parse(text) };
}

/** Creates an API key over HTTP. */
export async function createKey(baseUrl: string, scopes = ['read']): Promise<string> {
  const { body } = await request(`${baseUrl}/api-keys`, adminToken(), {
    method: 'POST',
    body: { name: 'test', scopes },
  });
  return body.key;
}

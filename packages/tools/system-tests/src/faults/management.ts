import { signSessionToken } from '@deal-signals/local-stack/demo/sign-session-token';
import { type RunningApp, TEST_SECRETS } from '@deal-signals/test-kit/processes';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';

/** The response to a management operation. */
export interface Answer {
  status: number;
  /** The parsed JSON. Null for an empty body. */
  body: unknown;
}

/** Calls a management operation as an admin of the workspace. `path` is below `/api/v1`. */
export async function manage(
  api: Pick<RunningApp, 'baseUrl'>,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const token = signSessionToken(
    { userId: 7, companyId: COMPANY, permissions: ['integrations.crm'], ttlSeconds: 600 },
    TEST_SECRETS.SESSION_JWT_SECRET,
  );
  const response = await fetch(`${api.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

import { captureRecords } from '@deal-signals/capture/capture-records';
import { captureRecord, type CaptureInput } from '@deal-signals/capture/record';
import type { Database } from '@deal-signals/db/database';
import { signSessionToken } from '@deal-signals/local-stack/demo/sign-session-token';
import { TEST_SECRETS } from '@deal-signals/test-kit/processes';
import { checkAgainst, type DescriptionCheck } from '@deal-signals/test-kit/published-description';

/** The workspace that the tests of this package work in. */
export const COMPANY = 1;

/** A UUID that a reader can recognise. */
export const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** A record without its workspace, so that the tests do not repeat it. */
export type ShortRecord = CaptureInput extends infer R
  ? R extends { companyId: number }
    ? Omit<R, 'companyId'>
    : R
  : never;

/** Captures records of the test's workspace in one transaction for each workspace. */
export function capture(db: Database, ...records: ShortRecord[]): Promise<void> {
  return captureRecords(
    db,
    records.map((record) => captureRecord.parse({ companyId: COMPANY, ...record })),
  );
}

/** A session token of an admin of the workspace. */
export function adminToken(companyId = COMPANY): string {
  return signSessionToken(
    { userId: 7, companyId, permissions: ['integrations.crm'], ttlSeconds: 600 },
    TEST_SECRETS.SESSION_JWT_SECRET,
  );
}

/** A parsed JSON answer. */
export interface Answer {
  status: number;
  body: any;
}

const checks = new Map<string, Promise<DescriptionCheck>>();

/** What an API publishes about itself. */
export function descriptionOf(url: string): Promise<DescriptionCheck> {
  const address = new URL('/api/v1/openapi.json', url).href;
  const check =
    checks.get(address) ?? fetch(address).then(async (response) => checkAgainst(await response.json()));
  checks.set(address, check);
  return check;
}

/** Calls the API; an answer that is not as published is an error. */
export async function request(
  url: string,
  token: string,
  init: { method?: string; body?: unknown } = {},
): Promise<Answer> {
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

/** Mints an API key over HTTP. */
export async function mintKey(baseUrl: string): Promise<string> {
  const { body } = await request(`${baseUrl}/api-keys`, adminToken(), {
    method: 'POST',
    body: { name: 'test' },
  });
  return body.key;
}

import { signSessionToken } from '@deal-signals/local-stack/demo/sign-session-token';
import { type RunningApp, startApp, TEST_SECRETS } from '@deal-signals/test-kit/processes';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';

/** Starts an API without a practical rate limit for its clients. */
export async function startApi(databaseUrl: string): Promise<RunningApp> {
  return startApp('api', {
    DATABASE_URL: databaseUrl,
    REDIS_URL: await createTestRedis(),
  });
}

/** Calls a management operation. */
export async function manage(
  api: RunningApp,
  path: string,
  body: object,
  companyId: number = COMPANY,
): Promise<any> {
  const token = signSessionToken(
    { userId: 7, companyId, permissions: ['integrations.crm'], ttlSeconds: 600 },
    TEST_SECRETS.SESSION_JWT_SECRET,
  );
  const response = await fetch(api.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const result: any = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(result));
  return result;
}

/** Creates an API key. */
export async function createKey(api: RunningApp, companyId: number = COMPANY): Promise<string> {
  return (await manage(api, '/api-keys', { name: 'test' }, companyId)).key;
}

/** A record of a feed. */
export type FeedRecord = Record<string, unknown> & { id: string };

/** Reads a whole feed without the client. Returns the last version of each record, by id. */
export async function servedRecords(
  api: RunningApp,
  key: string,
  feed: string,
): Promise<Map<string, FeedRecord>> {
  const records = new Map<string, FeedRecord>();
  for (let cursor = ''; ;) {
    const response = await fetch(`${api.baseUrl}/${feed}?limit=500${cursor}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const page: any = await response.json();
    for (const record of page.data) records.set(record.id, record);
    if (!page.hasMore) return records;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

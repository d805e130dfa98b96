import { consoleApi } from '../api/clients.ts';
import type { components } from '../api/generated/console.ts';

/** The requests with a key, day by day. */
export type KeyUsage = components['schemas']['ApiKeyUsage'];

/** The API counts requests once a minute. */
const REFRESH_MS = 60_000;
/** How many days are shown. */
export const DAYS = 30;

/** The requests of all keys by their ids; undefined until they are read. A key that was not used is missing. */
export function useKeyUsage(): ReadonlyMap<number, KeyUsage> | undefined {
  const { data } = consoleApi.useQuery(
    'get',
    '/api-key-usage',
    { params: { query: { days: DAYS } } },
    { refetchInterval: REFRESH_MS },
  );
  return data && new Map(data.data.map((usage) => [usage.keyId, usage]));
}

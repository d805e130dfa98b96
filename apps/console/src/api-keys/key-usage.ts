import { consoleApi } from '../api/clients.ts';
import type { components } from '../api/generated/console.ts';

/** The number of requests with a key per day. */
export type KeyUsage = components['schemas']['ApiKeyUsage'];

/** The API updates the counts once a minute. */
const REFRESH_MS = 60_000;
/** The number of days shown. */
export const DAYS = 30;

/** Returns the usage of all keys by their ids; undefined until it is loaded. Unused keys are missing. */
export function useKeyUsage(): ReadonlyMap<number, KeyUsage> | undefined {
  const { data } = consoleApi.useQuery(
    'get',
    '/api-key-usage',
    { params: { query: { days: DAYS } } },
    { refetchInterval: REFRESH_MS },
  );
  return data && new Map(data.data.map((usage) => [usage.keyId, usage]));
}

import type { ApiKey } from '@deal-signals/serializers/management/api-key';

/** An API key's record. */
export const apiKeyExample: ApiKey = {
  id: 1,
  name: 'Data warehouse',
  prefix: 'dsk_live_ZxTH',
  scopes: ['read'],
  createdAt: '2026-09-10T09:00:01.958Z',
  lastUsedAt: null,
  revokedAt: null,
  createdByUserId: 501,
};

import type { ApiKey } from '../management/api-key.ts';

/** The record of an API key. */
export const apiKeyExample: ApiKey = {
  id: 1,
  name: 'Data warehouse',
  prefix: 'dsk_live_ZxTH',
  scopes: ['read'],
  createdAt: '2026-09-10T09:00:01.958Z',
  lastUsedAt: null,
  revokedAt: null,
  expiresAt: null,
  allowedNetworks: null,
  rotatedAt: null,
  createdByUserId: 501,
};

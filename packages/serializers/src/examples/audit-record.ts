import type { AuditRecord } from '../management/audit-record.ts';

/** The creation of an API key. */
export const auditRecordExample: AuditRecord = {
  id: '1789030800000000',
  at: '2026-09-10T09:00:01.961Z',
  userId: 501,
  apiKeyId: null,
  action: 'api_key.created',
  objectType: 'api_key',
  objectId: '1',
  requestId: '0b0c2b1e-5d0c-4a3f-9a52-6b4f3d0e9c11',
  serverRequestId: '0b0c2b1e-5d0c-4a3f-9a52-6b4f3d0e9c11',
  ipAddress: '192.0.2.7',
  details: {
    name: 'Data warehouse',
    prefix: 'dsk_live_ZxTH',
    scopes: ['read'],
    allowedNetworks: null,
    expiresAt: null,
  },
};

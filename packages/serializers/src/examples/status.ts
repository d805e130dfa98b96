import type { Status } from '../status.ts';

/** The status of a new key. */
export const statusExample: Status = {
  ok: true,
  apiVersion: '2026-09-01',
  company: {
    id: 1001,
    name: 'Lanternfell Software',
  },
  key: {
    prefix: 'dsk_live_ZxTH',
    name: 'Data warehouse',
    scopes: ['read'],
    createdAt: '2026-09-10T09:00:01.958Z',
    lastUsedAt: '2026-09-10T09:00:02.014Z',
  },
  webhooks: {
    endpoints: 1,
    enabledEndpoints: 1,
    pendingDeliveries: 0,
    pendingDeliveriesExact: true,
    deadDeliveries: 0,
    deadDeliveriesExact: true,
    lastDeliveredAt: null,
  },
  rateLimit: {
    perMinute: 300,
  },
};

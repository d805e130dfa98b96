import type { AlertChannel } from '../management/alert-channel.ts';

/** An alert channel without a message so far. */
export const alertChannelExample: AlertChannel = {
  id: 1,
  kind: 'webhook',
  host: 'alerts.crm.example',
  events: ['endpoint.failing', 'endpoint.disabled', 'endpoint.recovered', 'deliveries.dead'],
  description: 'On-call',
  createdAt: '2026-09-10T09:00:04.120Z',
  lastSentAt: null,
  lastErrorAt: null,
  lastError: null,
};

import type { WebhookEndpoint } from '../../webhooks/endpoint.ts';

/** An endpoint that subscribes to all event types. */
export const webhookEndpointExample: WebhookEndpoint = {
  id: 1,
  url: 'https://hooks.crm.example/deal-signals',
  description: 'CRM',
  events: ['*'],
  filter: null,
  enabled: true,
  disabledReason: null,
  createdAt: '2026-09-10T09:00:01.985Z',
  lastSuccessAt: null,
  lastErrorAt: null,
  lastError: null,
  consecutiveFailures: 0,
  awaitingVerification: false,
  headerNames: [],
  maxPerMinute: null,
  honorRetryAfter: false,
  previousSecretExpiresAt: null,
  apiKeyId: null,
};

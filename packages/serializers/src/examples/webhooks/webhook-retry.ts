import type { WebhookDelivery } from '../../webhooks/delivery.ts';

/** A dead delivery after it was retried. */
export const webhookRetryExample: WebhookDelivery = {
  id: '1789030800001000',
  endpointId: 1,
  eventId: '6f9f1f52-7f0c-4d5c-8f2f-9a0a5cbd41d6',
  eventType: 'integration.ping',
  buyerSpaceId: null,
  callId: null,
  status: 'pending',
  attempts: 0,
  nextAttemptAt: '2026-09-10T09:04:57.882Z',
  createdAt: '2026-09-10T09:02:11.406Z',
  deliveredAt: null,
  lastStatusCode: 503,
  lastError: 'receiver responded with 503',
  dismissedAt: null,
};

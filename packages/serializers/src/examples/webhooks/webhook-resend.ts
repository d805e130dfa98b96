import type { WebhookDelivery } from '../../webhooks/delivery.ts';

/** A new delivery of an old event. */
export const webhookResendExample: WebhookDelivery = {
  id: '1789030800005000',
  endpointId: 1,
  eventId: '6f9f1f52-7f0c-4d5c-8f2f-9a0a5cbd41d6',
  eventType: 'integration.ping',
  buyerSpaceId: null,
  callId: null,
  status: 'pending',
  attempts: 0,
  nextAttemptAt: '2026-09-10T09:07:31.120Z',
  createdAt: '2026-09-10T09:07:31.120Z',
  deliveredAt: null,
  lastStatusCode: null,
  lastError: null,
  dismissedAt: null,
};

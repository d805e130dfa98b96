import type { WebhookDelivery } from '../../webhooks/delivery.ts';

/** A test event that was delivered. */
export const webhookPingExample: WebhookDelivery = {
  id: '1789030800000000',
  endpointId: 1,
  eventId: '6c5ba4a4-90ff-4b44-8d52-06d1a4d0c0b8',
  eventType: 'integration.ping',
  buyerSpaceId: null,
  callId: null,
  status: 'delivered',
  attempts: 1,
  nextAttemptAt: null,
  createdAt: '2026-09-10T09:00:04.621Z',
  deliveredAt: '2026-09-10T09:00:04.930Z',
  lastStatusCode: 200,
  lastError: null,
  dismissedAt: null,
};

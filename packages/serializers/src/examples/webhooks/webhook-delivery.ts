import type { WebhookDelivery } from '../../webhooks/delivery.ts';

/** A delivery that succeeded on the first attempt. */
export const webhookDeliveryExample: WebhookDelivery = {
  id: '1789030800000000',
  endpointId: 1,
  eventId: 'bbd83a9f-de83-48b1-bdf7-d0887c1e4ace',
  eventType: 'decision_room.updated',
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

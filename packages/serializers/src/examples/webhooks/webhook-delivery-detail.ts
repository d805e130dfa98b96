import type { WebhookDeliveryDetail } from '../../webhooks/delivery-detail.ts';

/** A test event whose delivery failed. */
export const webhookDeliveryDetailExample: WebhookDeliveryDetail = {
  id: '1789030800001000',
  endpointId: 1,
  eventId: '6f9f1f52-7f0c-4d5c-8f2f-9a0a5cbd41d6',
  eventType: 'integration.ping',
  buyerSpaceId: null,
  callId: null,
  status: 'dead',
  attempts: 1,
  nextAttemptAt: null,
  createdAt: '2026-09-10T09:02:11.406Z',
  deliveredAt: null,
  lastStatusCode: 503,
  lastError: 'receiver responded with 503',
  dismissedAt: null,
  payload: {
    id: '6f9f1f52-7f0c-4d5c-8f2f-9a0a5cbd41d6',
    type: 'integration.ping',
    apiVersion: '2026-09-01',
    createdAt: '2026-09-10T09:02:11.406Z',
    companyId: 1001,
    data: {
      endpointId: 1,
      message: 'This is a test event, sent to check that this endpoint works.',
    },
  },
  attemptLog: [
    {
      number: 1,
      startedAt: '2026-09-10T09:02:11.409Z',
      durationMs: 38,
      statusCode: 503,
      error: 'receiver responded with 503',
      responseExcerpt: 'down for maintenance',
      retryAfterSeconds: 120,
      traceparent: '00-6f9f1f527f0c4d5c8f2f9a0a5cbd41d6-8d1c5a3b7e02f946-01',
    },
  ],
};

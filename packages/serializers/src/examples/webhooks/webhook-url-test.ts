import type { WebhookUrlTest } from '../../webhooks/url-test.ts';

/** A test event that a new URL has accepted. */
export const webhookUrlTestExample: WebhookUrlTest = {
  eventId: '0e6c0a8b-3f55-4b0e-8a61-0f2f9b1f4c57',
  delivered: true,
  statusCode: 200,
  error: null,
  durationMs: 41,
  responseExcerpt: '',
  traceparent: '00-0e6c0a8b3f554b0e8a610f2f9b1f4c57-5b2e8f0d1c7a4963-01',
};

import type { components } from '../api/generated/console.ts';

/** A delivery with its payload and its attempts. */
export type DeliveryDetail = components['schemas']['WebhookDeliveryDetail'];

/** One attempt of a delivery. */
export type Attempt = components['schemas']['WebhookAttempt'];

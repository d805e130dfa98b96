import type { Feed } from '../feeds/feeds.ts';
import { explainDepth } from '../feeds/record-depth.ts';
import { EVENT_OBJECTS } from '../generated/event-objects.ts';
import type { Applied, RowStore, SavedObject } from '../stores/store.ts';
import type { WebhookEvent } from './events.ts';
import { verifyWebhook, type VerifyOptions, WebhookError, type WebhookHeaders } from './verify-webhook.ts';

/** A delivery as it arrived. */
export interface Delivery extends VerifyOptions {
  /** The body, byte for byte. */
  rawBody: string | Uint8Array | ArrayBuffer;
  headers: WebhookHeaders;
  /** The signing secret of the endpoint, or several while you rotate it. */
  secrets: string | readonly string[];
}

/** Handles an event in the transaction that stores its object. Runs once per event, even if it is delivered again. */
export type EventHandler<Transaction> = (
  event: WebhookEvent,
  transaction: Transaction,
) => void | Promise<void>;

/**
 * Verifies a delivery and stores its object: see `applyEvent`.
 *
 * @throws WebhookError if the delivery cannot be trusted: respond with 400. After any other error, respond with 500.
 */
export async function applyWebhook<Transaction>(
  store: RowStore<Transaction>,
  { rawBody, headers, secrets, ...options }: Delivery,
  handle?: EventHandler<Transaction>,
): Promise<{ event: WebhookEvent; applied: Applied }> {
  const event = await verifyWebhook(rawBody, headers, secrets, options);
  return { event, applied: await applyEvent(store, event, handle) };
}

/**
 * Stores the object of a verified event before its feed returns it. The feed will return it again. An event that was stored
 * before is skipped, and a row of the same or a later version is kept. So deliveries may arrive in any order and more than
 * once. An event about an erasure erases the data in the stored rows, and in rows that arrive later.
 *
 * @throws RecordTooDeep if the object is nested too deeply to be stored.
 * @throws StoreConflict if the store holds another workspace.
 */
export async function applyEvent<Transaction>(
  store: RowStore<Transaction>,
  event: WebhookEvent,
  handle?: EventHandler<Transaction>,
): Promise<Applied> {
  await store.claimWorkspace(event.companyId);
  const object = toSavedObject(event);
  try {
    return await store.saveEvent(event.id, object, (transaction) => handle?.(event, transaction));
  } catch (error) {
    throw object === null ? error : explainDepth(object.feed, [object.record], error);
  }
}

/** Returns the object of an event and its feed; null if the event has no object. */
function toSavedObject(event: WebhookEvent): SavedObject | null {
  const recordedAt = Number.isNaN(Date.parse(event.createdAt)) ? null : event.createdAt;
  const shown = Object.hasOwn(EVENT_OBJECTS, event.type) ? EVENT_OBJECTS[event.type] : undefined;
  if (shown === undefined) return null;
  const { feed, field } = shown;
  const object = field === null ? event.data : (event.data as Record<string, unknown> | null)?.[field];
  return { ...checked(feed, object), recordedAt };
}

function checked(feed: Feed, record: unknown): Omit<SavedObject, 'recordedAt'> {
  if (typeof (record as { id?: unknown } | null)?.id === 'string') {
    return { feed, record: record as SavedObject['record'] };
  }
  throw new WebhookError('BODY_INVALID', 'the delivery is signed, but its object has no id');
}

import { createEventMemory, type EventMemory } from './event-memory.ts';
import type { WebhookEvent } from './events.ts';
import { verifyWebhook, WebhookError, type WebhookHeaders } from './verify-webhook.ts';

/** Reading stops at this size, so that an attacker cannot exhaust the memory. The largest delivery is 512 KiB. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** How deliveries are handled. */
export interface ReceiverOptions {
  /** The signing secret of the endpoint, or several while you rotate it. */
  secrets: string | readonly string[];
  /**
   * Handles an event. The sender waits 10 seconds for the response, so store the event and do slow work later. If it throws,
   * the response is a 500 and the delivery is sent again.
   */
  onEvent: (event: WebhookEvent) => void | Promise<void>;
  /** The events that were already handled. Default: the latest 10,000, in this process. */
  memory?: EventMemory;
  /** Called when a delivery is rejected or cannot be handled. Default: writes to the console. */
  onProblem?: (error: unknown) => void;
  /** How far the time of a signature may be from the clock. Default: 300 seconds. */
  toleranceSeconds?: number;
}

/** Handles one delivery and returns the status of the response. */
export type Receive = (
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
) => Promise<number>;

/**
 * Builds the part that all handlers share: it verifies a delivery, skips it if its event was handled before, and handles it.
 *
 * A delivery that arrives while its event is still being handled waits for the result. If it were acknowledged at once and the
 * handler then failed, the event could be lost.
 */
export function createReceive(options: ReceiverOptions): Receive {
  const { secrets, onEvent, memory = createEventMemory(), onProblem = console.error } = options;
  const inProgress = new Map<string, Promise<void>>();
  const verifying =
    options.toleranceSeconds === undefined ? {} : { toleranceSeconds: options.toleranceSeconds };

  async function handleOnce(event: WebhookEvent): Promise<void> {
    if (await memory.has(event.id)) return;
    await onEvent(event);
    await memory.add(event.id);
  }

  return async (rawBody, headers) => {
    try {
      const event = await verifyWebhook(rawBody, headers, secrets, verifying);
      const handling =
        inProgress.get(event.id) ?? handleOnce(event).finally(() => inProgress.delete(event.id));
      inProgress.set(event.id, handling);
      await handling;
      return 204;
    } catch (error) {
      onProblem(error);
      return error instanceof WebhookError ? 400 : 500;
    }
  };
}

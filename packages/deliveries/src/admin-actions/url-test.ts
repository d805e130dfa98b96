import { randomUUID } from 'node:crypto';
import type { Database } from '@deal-signals/db/database';
import { TEST_MESSAGE } from '@deal-signals/outbox/event-data';
import { PING } from '@deal-signals/outbox/event-types';
import { envelope } from '@deal-signals/outbox/record-events';
import type { Logger } from '@deal-signals/runtime/logger';
import type { CustomHeader } from '@deal-signals/sending/headers/custom-headers';
import type { Sender } from '@deal-signals/sending/guard/guarded-send';
import { newTraceparent } from '@deal-signals/sending/headers/traceparent';
import { describeResponse, classifyResult } from '../attempts/outcome.ts';
import { type VisibleFailure, redactFailure } from '../attempts/redacted-error.ts';
import { signAndSend } from '../attempts/sign-and-send.ts';
import type { WebhookSettings } from '../settings.ts';

/** The id of the endpoint and of the delivery in a test that has none. */
export const NO_ID = 0;

/** A URL to test, and the secrets and headers of the request. */
export interface UrlTest {
  companyId: number;
  url: string;
  /** The endpoint that the URL is meant for; null if there is none yet. */
  endpointId: number | null;
  secret: string;
  previousSecret: string | null;
  customHeaders: readonly CustomHeader[];
}

/** The result of the test of a URL. */
export interface UrlTestOutcome extends VisibleFailure {
  eventId: string;
  delivered: boolean;
  statusCode: number | null;
  responseExcerpt: string | null;
  traceparent: string;
}

/** The dependencies of the test of a URL. */
export interface UrlTestContext {
  db: Database;
  /** Runs a read once the workspace has a free connection slot. */
  hold: <T>(read: () => Promise<T>) => Promise<T>;
  sender: Sender;
  settings: WebhookSettings;
  logger: Logger;
}

/**
 * Sends a test event to a URL that belongs to no endpoint. It writes nothing: no delivery and no change of an endpoint, for any
 * response.
 *
 * @param requestId the API request that asked for the test, for the log.
 * @returns null if the sender was closed during the test.
 */
export async function testUrl(
  { db, hold, sender, settings, logger }: UrlTestContext,
  test: UrlTest,
  requestId: string,
): Promise<UrlTestOutcome | null> {
  const { companyId, endpointId } = test;
  const eventId = randomUUID();
  const traceparent = newTraceparent(eventId);
  const data = { endpointId: endpointId ?? NO_ID, message: TEST_MESSAGE };
  const result = await signAndSend(sender, settings, {
    ...test,
    deliveryId: BigInt(NO_ID),
    eventId,
    eventType: PING,
    body: envelope(eventId, PING, new Date(), companyId, data),
    traceparent,
  });
  const facts = { requestId, companyId, endpointId, eventId, eventType: PING, traceparent };
  if (result.kind === 'interrupted') {
    logger.info('url test', { ...facts, outcome: 'interrupted' });
    return null;
  }
  const outcome = classifyResult(result);
  const shown =
    result.kind === 'responded'
      ? { error: describeResponse(result.status, outcome), durationMs: result.durationMs }
      : await hold(() => redactFailure(db, test, result));
  const statusCode = result.kind === 'responded' ? result.status : null;
  logger.info('url test', {
    ...facts,
    outcome,
    statusCode,
    durationMs: result.durationMs,
    error: shown.error,
    ...(result.kind !== 'responded' && { errorDetail: result.detail ?? result.error }),
  });
  return {
    eventId,
    delivered: outcome === 'delivered',
    statusCode,
    ...shown,
    responseExcerpt: result.kind === 'responded' && test.customHeaders.length === 0 ? result.excerpt : null,
    traceparent,
  };
}

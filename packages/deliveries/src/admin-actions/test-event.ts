import { randomUUID } from 'node:crypto';
import type { FeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { TEST_MESSAGE } from '@deal-signals/outbox/event-data';
import { PING } from '@deal-signals/outbox/event-types';
import { envelope } from '@deal-signals/outbox/record-events';
import { newTraceparent } from '@deal-signals/sending/headers/traceparent';
import type { Attempt } from '../attempts/begin-attempt.ts';
import { lockEndpoint } from '../endpoints/endpoint-state.ts';

/** A started test event, or the reason why none was started: the endpoint is unknown, or another test of it is running. */
export type StartedTest = { kind: 'started'; attempt: Attempt } | { kind: 'unknown' } | { kind: 'running' };

/**
 * Starts a test event for one endpoint, in any state and with any subscriptions: a delivery whose attempt has begun. The caller
 * makes the attempt at once. If the caller's process ends before that, the lease ends and a worker makes the attempt as soon as
 * the endpoint is enabled.
 *
 * An endpoint has one test at a time, which limits what a workspace can make the API send to a host that it does not own. A test
 * whose lease has ended does not count.
 *
 * The feed clock is held, so two tests of a workspace cannot start at the same moment.
 */
export async function startTestEvent(
  feed: FeedTransaction,
  endpointId: number,
  leaseMs: number,
): Promise<StartedTest> {
  const { tx, companyId, at, takeIds } = feed;
  const state = await lockEndpoint(tx, companyId, endpointId);
  if (state === null || state === 'removed') return { kind: 'unknown' };
  const running = await tx.$queryRaw<unknown[]>`
    SELECT FROM pending_deliveries
    WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} AND claim_token IS NOT NULL
      AND event_type = ${PING} AND lease_expires_at > clock_timestamp()
    LIMIT 1`;
  if (running.length > 0) return { kind: 'running' };

  const eventId = randomUUID();
  const body = envelope(eventId, PING, at, companyId, { endpointId, message: TEST_MESSAGE });
  const [begun] = await tx.$queryRaw<Pick<Attempt, 'deliveryId' | 'claimToken' | 'startedAt'>[]>`
    WITH event AS (
      INSERT INTO webhook_events (company_id, id, type, created_at, body)
      VALUES (${companyId}, ${eventId}::uuid, ${PING}, ${at}, ${body})
    ), queued AS (
      INSERT INTO pending_deliveries
        (company_id, id, endpoint_id, event_id, event_type, created_at, next_attempt_at, ready, claim_token, lease_expires_at)
      VALUES (${companyId}, ${takeIds('webhook_deliveries', 1)}, ${endpointId}, ${eventId}::uuid, ${PING}, ${at},
        ${state === 'open' ? at : null}, false, gen_random_uuid(),
        clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond')
      RETURNING id, claim_token
    ), subjects AS (
      INSERT INTO webhook_delivery_subjects (company_id, kind, subject, first_delivery_id, deliveries)
      SELECT ${companyId}, s.kind, s.subject, queued.id, 1
      FROM queued CROSS JOIN delivery_subjects(${eventId}::uuid, ${PING}, NULL, NULL, NULL) AS s
    )
    SELECT id AS "deliveryId", claim_token::text AS "claimToken", clock_timestamp() AS "startedAt" FROM queued`;
  if (begun === undefined) throw new Error('the delivery of a test event was not inserted');
  const [endpoint] = await tx.$queryRaw<
    Pick<
      Attempt,
      'url' | 'secretCiphertext' | 'previousSecretCiphertext' | 'headersCiphertext' | 'everHadHeaders'
    >[]
  >`
    SELECT url, secret_ciphertext AS "secretCiphertext",
      CASE WHEN previous_secret_until > clock_timestamp() THEN previous_secret_ciphertext END
        AS "previousSecretCiphertext",
      headers_ciphertext AS "headersCiphertext", ever_had_headers AS "everHadHeaders"
    FROM webhook_endpoints
    WHERE company_id = ${companyId} AND id = ${endpointId}`;
  if (endpoint === undefined) throw new Error('the endpoint of a test event was not found');
  return {
    kind: 'started',
    attempt: {
      ...begun,
      companyId,
      endpointId,
      eventId,
      eventType: PING,
      body,
      ...endpoint,
      attemptInSchedule: 1,
      attemptNumber: 1,
      leaseLeftMs: leaseMs,
      ageMs: 0,
      waitedMs: 0,
      isRateLimited: false,
      traceparent: newTraceparent(eventId),
      captureTraceparent: null,
    },
  };
}

import { dismissDead, MOST_DISMISSED } from '@deal-signals/deliveries/requests/dismiss';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import { z } from 'zod';
import { invalidState, notFound } from '../../http/errors.ts';
import { integerInPath, integerPath, parseBody } from '../../http/input.ts';
import { adminOperation } from '../../http/route.ts';
import { inManagementTransaction } from '../management-transaction.ts';

/** The body of `POST /webhooks/{id}/dismiss-dead`. */
export const dismissDeadBody = z.object({
  before: dateTimeInput
    .optional()
    .meta({ description: 'Only deliveries of events created before this time' }),
});

/** `POST /webhooks/{id}/dismiss-dead`: dismisses the dead letters of an endpoint. */
export const dismissDeadDeliveries = adminOperation({
  operationId: 'dismissDeadDeliveries',
  tag: 'Webhook deliveries',
  summary: 'Dismiss the dead deliveries of a webhook endpoint',
  description: `Sets \`dismissedAt\` of the dead deliveries of the endpoint, oldest first. They stay in the log as \`dead\`, but \`deadDeliveries\` of the status no longer counts them, and \`retryDeadDeliveries\` leaves them alone; \`retryDelivery\` can still retry each of them. Each call dismisses at most ${MOST_DISMISSED.toLocaleString('en')}; repeat it until \`count\` is 0. The request is refused with \`INVALID_STATE\` if the endpoint was removed.`,
  params: integerPath,
  body: dismissDeadBody,
  bodyExample: { before: '2026-09-01T12:00:00.000Z' },
  isBodyOptional: true,
  response: z.object({ count: z.int().meta({ description: 'Number of deliveries dismissed' }) }),
  example: { count: 1 },
  errors: ['INVALID_STATE'],
  async handler(request, { db }) {
    const { companyId, params, body, note } = request;
    const id = integerInPath(params['id']);
    note({ endpointId: id });
    const { before = null } = parseBody(dismissDeadBody, body ?? {});
    const count = await inManagementTransaction(db, request, async (tx) => {
      const outcome = await dismissDead(tx, companyId, id, before);
      if (outcome === 'unknown') throw notFound();
      if (outcome === 'endpoint removed') {
        throw invalidState('the endpoint was removed; its dead deliveries are not counted');
      }
      if (outcome === 0) return { result: 0, audit: null };
      return {
        result: outcome,
        audit: {
          action: 'deliveries.dismissed',
          objectType: 'webhook',
          objectId: id,
          details: { count: outcome, before: before?.toISOString() ?? null },
        },
      };
    });
    return { count };
  },
});

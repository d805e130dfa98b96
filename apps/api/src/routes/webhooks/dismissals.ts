import { dismissDead, MOST_DISMISSED } from '@deal-signals/deliveries/requests/dismiss';
import { z } from 'zod';
import { invalidState, notFound } from '../../http/errors.ts';
import { integerInPath, integerPath, parseBody } from '../../http/input.ts';
import { adminOperation } from '../../http/route.ts';
import { inManagementTransaction } from '../management-transaction.ts';
import {
  auditedSelection,
  deadLetterSelection,
  nextCursor,
  readSelection,
  serializeMoved,
} from './dead-letter-selection.ts';

/** `POST /webhooks/{id}/dismiss-dead`: dismisses the dead letters of an endpoint. */
export const dismissDeadDeliveries = adminOperation({
  operationId: 'dismissDeadDeliveries',
  tag: 'Webhook deliveries',
  summary: 'Dismiss the dead deliveries of a webhook endpoint',
  description: `Sets \`dismissedAt\` of the dead deliveries of the endpoint, oldest first, or of those that the body selects. They stay in the log as \`dead\`, but \`deadDeliveries\` of the status no longer counts them, and \`retryDeadDeliveries\` leaves them alone; \`retryDelivery\` can still retry each of them. Each call dismisses at most ${MOST_DISMISSED.toLocaleString('en')}. If \`nextCursor\` is not null, call again with it as \`cursor\` and the same fields. The request is refused with \`INVALID_STATE\` if the endpoint was removed.`,
  params: integerPath,
  body: deadLetterSelection,
  bodyExample: { before: '2026-09-01T12:00:00.000Z' },
  isBodyOptional: true,
  response: z.object({ count: z.int().meta({ description: 'Number of deliveries dismissed' }), nextCursor }),
  example: { count: 1, nextCursor: null },
  errors: ['INVALID_STATE'],
  async handler(request, { db }) {
    const { companyId, params, body, note } = request;
    const id = integerInPath(params['id']);
    note({ endpointId: id });
    const { selection, limit } = readSelection(parseBody(deadLetterSelection, body ?? {}));
    return inManagementTransaction(db, request, async ({ tx }) => {
      const outcome = await dismissDead(tx, companyId, id, selection, limit);
      if (outcome === 'unknown') throw notFound();
      if (outcome === 'endpoint removed') {
        throw invalidState('the endpoint was removed; its dead deliveries are not counted');
      }
      const result = serializeMoved(outcome);
      if (outcome.count === 0) return { result, audit: null };
      return {
        result,
        audit: {
          action: 'deliveries.dismissed',
          objectType: 'webhook',
          objectId: id,
          details: { count: outcome.count, before: null, ...auditedSelection(selection) },
        },
      };
    });
  },
});

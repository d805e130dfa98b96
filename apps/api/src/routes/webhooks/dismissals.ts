import { dismissDead, MAX_DISMISSED } from '@deal-signals/deliveries/admin-actions/dismiss';
import { moveDeadLetters } from './dead-letters.ts';

/** `POST /webhooks/{id}/dismiss-dead`: dismisses the dead letters of an endpoint. */
export const dismissDeadDeliveries = moveDeadLetters({
  operationId: 'dismissDeadDeliveries',
  summary: 'Dismiss the dead deliveries of a webhook endpoint',
  description: `Sets \`dismissedAt\` of the dead deliveries of the endpoint, oldest first, or of those that the body selects. They stay in the log as \`dead\`, but \`deadDeliveries\` of the status no longer counts them, and \`retryDeadDeliveries\` skips them; \`retryDelivery\` can still retry each of them. Each call dismisses at most ${MAX_DISMISSED.toLocaleString('en')}. If \`nextCursor\` is not null, call again with it as \`cursor\` and the same fields. The request is rejected with \`INVALID_STATE\` if the endpoint was removed.`,
  bodyExample: { before: '2026-09-01T12:00:00.000Z' },
  counted: 'Number of deliveries dismissed',
  ifRemoved: 'the endpoint was removed; its dead deliveries are not counted',
  action: 'deliveries.dismissed',
  auditedTime: 'before',
  move: dismissDead,
});

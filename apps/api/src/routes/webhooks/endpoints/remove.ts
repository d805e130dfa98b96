import { removeEndpoint } from '@deal-signals/deliveries/endpoints/change-state';
import { integerPath } from '../../../http/input.ts';
import type { ManagementRequest, Removal } from '../../../http/route.ts';
import { inManagementTransaction } from '../../management-transaction.ts';
import { lockPresent } from './find.ts';

/** `DELETE /webhooks/{id}`: removes an endpoint permanently. Its delivery log can still be read. */
export const removeWebhook: Removal<ManagementRequest, typeof integerPath> = {
  operationId: 'removeWebhook',
  tag: 'Webhook endpoints',
  summary: 'Remove a webhook endpoint',
  description:
    'Removes the endpoint permanently. Nothing more is sent to it, and its pending deliveries become dead. Its delivery log can still be read.',
  params: integerPath,
  status: 204,
  async handler(request, { db }) {
    const { companyId } = request;
    const { id } = request.params;
    await inManagementTransaction(db, request, async ({ tx }) => {
      await lockPresent(tx, request, id);
      await removeEndpoint(tx, companyId, id);
      return {
        result: undefined,
        audit: { action: 'webhook.removed', objectType: 'webhook', objectId: id },
      };
    });
  },
};

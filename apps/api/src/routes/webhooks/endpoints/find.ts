import type { Database, Transaction } from '@deal-signals/db/database';
import { lockEndpoint } from '@deal-signals/deliveries/endpoints/endpoint-state';
import type { WebhookEndpointRow } from '@deal-signals/serializers/webhooks/endpoint';
import { notFound } from '../../../http/errors.ts';

/** Reads the pace of an endpoint with it. */
export const WITH_PACE = { pace: { select: { maxPerMinute: true } } } as const;

/** Reads an endpoint; null if there is none or it was removed. */
export function findEndpoint(
  db: Database | Transaction,
  companyId: number,
  id: number,
): Promise<WebhookEndpointRow | null> {
  return db.webhookEndpoint.findFirst({ where: { companyId, id, removedAt: null }, include: WITH_PACE });
}

/** Locks and reads an endpoint. @throws ApiError NOT_FOUND if there is none or it was removed. */
export async function lockPresent(
  tx: Transaction,
  companyId: number,
  id: number,
): Promise<WebhookEndpointRow> {
  await lockEndpoint(tx, companyId, id);
  const row = await findEndpoint(tx, companyId, id);
  if (row === null) throw notFound();
  return row;
}

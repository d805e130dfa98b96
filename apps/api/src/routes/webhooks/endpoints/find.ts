import type { Database, Transaction } from '@deal-signals/db/database';
import { lockEndpoint } from '@deal-signals/deliveries/endpoints/endpoint-state';
import type { WebhookEndpointRow } from '@deal-signals/serializers/webhooks/endpoint';
import { notFound } from '../../../http/errors.ts';
import type { ManagementRequest } from '../../../http/route.ts';

/** Reads the rate limit of an endpoint with it. */
export const WITH_RATE_LIMIT = { rateLimit: { select: { maxPerMinute: true } } } as const;

/** Whose endpoints to look at: all of the workspace, or those that a key or one that it replaced has registered. */
export type Owner = Pick<ManagementRequest, 'companyId' | 'key'>;

/** The condition of the endpoints that an owner can see. Removed ones are not among them. */
export function visibleTo({ companyId, key }: Owner) {
  return { companyId, removedAt: null, ...(key !== null && { ownerKeyId: key.originId }) };
}

/** Reads an endpoint; null if there is none that the owner can see. */
export function findEndpoint(
  db: Database | Transaction,
  owner: Owner,
  id: number,
): Promise<WebhookEndpointRow | null> {
  return db.webhookEndpoint.findFirst({ where: { ...visibleTo(owner), id }, include: WITH_RATE_LIMIT });
}

/** Locks and reads an endpoint. @throws ApiError NOT_FOUND if there is none that the owner can see. */
export async function lockPresent(tx: Transaction, owner: Owner, id: number): Promise<WebhookEndpointRow> {
  await lockEndpoint(tx, owner.companyId, id);
  const row = await findEndpoint(tx, owner, id);
  if (row === null) throw notFound();
  return row;
}

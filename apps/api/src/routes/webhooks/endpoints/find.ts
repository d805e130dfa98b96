import type { Database, Transaction } from '@deal-signals/db/database';
import { lockEndpoint } from '@deal-signals/deliveries/endpoints/endpoint-state';
import type { WebhookEndpointRow } from '@deal-signals/serializers/webhooks/endpoint';
import { notFound } from '../../../http/errors.ts';
import type { ManagementRequest } from '../../../http/route.ts';

/** Includes the rate limit when an endpoint is read. */
export const WITH_RATE_LIMIT = { rateLimit: { select: { maxPerMinute: true } } } as const;

/**
 * The owner of endpoints: a workspace owns all of its endpoints, a key owns those that it or a key that it replaced has
 * registered.
 */
export type Owner = Pick<ManagementRequest, 'companyId' | 'key'>;

/** Returns the condition for the endpoints that an owner can see. Removed ones are excluded. */
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

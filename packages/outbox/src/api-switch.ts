import type { AnyFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { recordAudit } from './record-audit.ts';

/**
 * Follows a change of `companies.api_enabled`, in its transaction: suspends the endpoints of the workspace when its API is
 * switched off, ends that when it is switched on again, and records the switch in the audit log. It is a change by the system:
 * the host product does it, and who did it there is not known here.
 *
 * It only marks the endpoints: the workspace may have a million pending deliveries, and the next ticks of the dispatcher put
 * them on hold or make them due. An attempt reads the mark when it begins, so none that begins after the commit sends anything. An
 * outcome is recorded under the lock of the endpoint's row, which this statement takes as well.
 */
export async function switchApi(feed: AnyFeedTransaction, apiEnabled: boolean): Promise<void> {
  const { tx, companyId } = feed;
  await recordAudit(feed, null, {
    action: apiEnabled ? 'workspace.api_enabled' : 'workspace.api_disabled',
    objectType: 'workspace',
    objectId: String(companyId),
  });
  await tx.$executeRaw`
    UPDATE webhook_endpoints
    SET suspended = ${!apiEnabled}, reconciled_to = 0
    WHERE company_id = ${companyId} AND removed_at IS NULL AND suspended = ${apiEnabled}`;
}

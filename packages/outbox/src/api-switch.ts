import type { AnyFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { recordAudit } from './record-audit.ts';

/**
 * Applies a change of `companies.api_enabled` in its transaction: suspends the endpoints of the workspace when its API is
 * switched off, resumes them when it is switched on again, and records the switch in the audit log. The host product makes this
 * change without naming a user, so the audit log shows it as a change by the system.
 *
 * Endpoints are only marked, because a workspace may have a million pending deliveries. The next ticks of the dispatcher put the
 * deliveries on hold or make them due. An attempt reads the mark when it begins, so no attempt that begins after the commit sends
 * anything. Recording an outcome takes the lock of the endpoint's row, which this statement takes as well.
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

import { claimReady, type Claimed } from '@deal-signals/deliveries/claims/claim-ready';
import { markDue } from '@deal-signals/deliveries/claims/mark-due';
import { rotateWorkspaces } from '@deal-signals/deliveries/claims/workspace-queue';
import { releaseClaims } from '@deal-signals/deliveries/claims/release-claims';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { type DeliveryWorkspaces, openDeliveryWorkspaces } from '../data/delivery-workspaces.ts';
import { engagementEvent } from '../data/engagement-event.ts';
import { refillTables } from '../data/refill-tables.ts';
import { compareSizes, type Contestant, monotonicMs, timed } from '../measure/compare.ts';
import type { Row } from '../report.ts';
import type { BenchContext } from '../stack/bench-stack.ts';

/** The defaults of the worker, which set the rate that the contract promises. */
const LIMITS = { batch: 50, endpointLimit: 50, workspaceLimit: 75, leaseMs: 30_000 };
const TICKS_A_TURN = 10;

/** States of the pending deliveries: the column values of all of them, or of all but one batch that is due. */
const BACKLOGS = [
  { name: 'all due', nextAttemptAt: 'now()', ready: 'true' },
  {
    name: 'all others waiting',
    nextAttemptAt: `CASE WHEN n <= ${LIMITS.batch} THEN now() ELSE now() + interval '1 hour' + n * interval '1 ms' END`,
    ready: `n <= ${LIMITS.batch}`,
  },
  {
    name: 'all others on hold',
    nextAttemptAt: `CASE WHEN n <= ${LIMITS.batch} THEN now() END`,
    ready: `n <= ${LIMITS.batch}`,
  },
  { name: 'of many workspaces', nextAttemptAt: 'now()', ready: 'true' },
];
type Backlog = (typeof BACKLOGS)[number];

/**
 * Measures claims, and the ticks that contain them, on many pending deliveries next to few, using the worker's own
 * functions.
 */
export async function measureClaimGrowth(context: BenchContext): Promise<Row[]> {
  const { growthPending, growthFewPending } = context.options;
  const rows: Row[] = [];
  for (const backlog of BACKLOGS) {
    const few = await openBacklog(context, backlog, growthFewPending);
    const many = await openBacklog(context, backlog, growthPending);
    for (const part of ['claim of 50 deliveries', 'tick: mark due, claim 50, requeue'] as const) {
      const what = { group: 'growth-claims', path: `${part}, ${backlog.name}`, unit: 'ms' };
      const isTick = part.startsWith('tick');
      rows.push(...(await compareSizes(context, what, few.contestant(isTick), many.contestant(isTick), 1.5)));
    }
    await Promise.all([few.close(), many.close()]);
  }
  return rows;
}

async function openBacklog({ stack, options, say }: BenchContext, backlog: Backlog, pending: number) {
  const isMany = backlog.name === 'of many workspaces';
  // A batch is shared between the first workspaces of the queue, so both sizes need enough workspaces.
  const workspaces = isMany ? Math.min(options.growthWorkspaces, Math.ceil(pending / 10)) : 1;
  const name = `growth_${pending}_${backlog.name.replaceAll(' ', '_')}`;
  const opened = await openDeliveryWorkspaces(stack, name, true);
  const { db } = opened;
  await fillPending(opened, backlog, pending, workspaces, say);
  // Every claim is released again, so each turn claims the same deliveries.
  const first = await db.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM pending_deliveries WHERE ready ORDER BY id LIMIT ${LIMITS.batch}`;

  function requireBatch({ claims }: Claimed): void {
    const ids = claims.map(({ deliveryId }) => deliveryId);
    const ofWorkspaces = new Set(claims.map(({ companyId }) => companyId)).size;
    const isRight = isMany
      ? new Set(ids).size === LIMITS.batch && ofWorkspaces === Math.min(LIMITS.batch, workspaces)
      : String(ids) === String(first.map(({ id }) => id));
    if (!isRight)
      throw new Error(
        `${name}: ${ids.length} deliveries of ${ofWorkspaces} workspaces were claimed: ${String(ids)}`,
      );
  }

  return {
    contestant: (isTick: boolean): Contestant => ({
      name: `${pending.toLocaleString('en')} pending`,
      async run() {
        const sample = await timed({ PostgreSQL: stack.servers.PostgreSQL }, async () => {
          let ms = 0;
          for (let n = 0; n < TICKS_A_TURN; n += 1) {
            const startedMs = monotonicMs();
            await markDue(db);
            const markedMs = monotonicMs();
            const claimed = await claimReady(db, LIMITS);
            const claimedMs = monotonicMs();
            await db.transaction((tx) => rotateWorkspaces(tx, claimed.workspaces));
            ms += isTick ? monotonicMs() - startedMs : claimedMs - markedMs;
            requireBatch(claimed);
            await releaseClaims(db, claimed.claims);
          }
          return { units: TICKS_A_TURN, ms };
        });
        // Autovacuum does this eventually. Here both sizes get it equally often.
        await db.$executeRawUnsafe('VACUUM pending_deliveries, workspace_queue');
        return sample;
      },
    }),
    close: () => db.close(),
  };
}

/** Fills the deliveries of a database. All deliveries of a workspace share one event and one endpoint. */
async function fillPending(
  { databaseUrl, db, add }: DeliveryWorkspaces,
  { nextAttemptAt, ready }: Backlog,
  pending: number,
  workspaces: number,
  say: (line: string) => void,
): Promise<void> {
  await add(COMPANY);
  await capture(db, engagementEvent(COMPANY, 'shared', 0));
  const others = `generate_series(${COMPANY + 1}, ${workspaces}) AS n`;
  await refillTables({
    databaseUrl,
    tables: ['pending_deliveries', 'webhook_attempts', 'workspace_queue'],
    first: `
      INSERT INTO companies (id, name) SELECT n, 'Workspace ' || n FROM ${others};
      INSERT INTO webhook_endpoints (company_id, url, events, secret_ciphertext)
        SELECT n, url, events, secret_ciphertext FROM webhook_endpoints, ${others};
      INSERT INTO webhook_events (company_id, id, type, created_at, body)
        SELECT n, id, type, created_at, body FROM webhook_events, ${others}`,
    rows: pending,
    insert: `
      INSERT INTO pending_deliveries
        (company_id, id, endpoint_id, event_id, event_type, created_at, next_attempt_at, ready)
      SELECT event.company_id, 1000000000000000 + n, endpoint.id, event.id, event.type, now(), ${nextAttemptAt}, ${ready}
      FROM generate_series($1::int, $2::int) AS n
      JOIN webhook_events AS event ON event.company_id = ${COMPANY} + n % ${workspaces}
      JOIN webhook_endpoints AS endpoint ON endpoint.company_id = event.company_id
      ORDER BY n`,
    // The trigger that adds workspaces to the queue is disabled while the tables are filled.
    last: `
      INSERT INTO workspace_queue (company_id)
      SELECT company_id FROM pending_deliveries WHERE ready GROUP BY company_id ORDER BY min(id)`,
    say,
  });
}

import { captureRecords } from '@deal-signals/capture/capture-records';
import { captureRecord } from '@deal-signals/capture/record';
import { Database } from '@deal-signals/db/database';
import { type Attempt, beginAttemptsInGroups } from '@deal-signals/deliveries/attempts/begin-attempt';
import { recordOutcomesInGroups } from '@deal-signals/deliveries/attempts/record-outcomes';
import { CONTRACT_SCHEDULE_MS } from '@deal-signals/deliveries/attempts/retry-schedule';
import type { Claim } from '@deal-signals/deliveries/claims/claim';
import { claimReady } from '@deal-signals/deliveries/claims/claim-ready';
import type { BenchContext } from '../context.ts';
import { addBenchEndpoint, addWorkspace } from '../data/delivery-workspaces.ts';
import { engagementEvent } from '../data/engagement-event.ts';
import type { Contestant } from '../measure/rounds.ts';
import type { Row } from '../report/row.ts';
import { compareSizes } from './compare-sizes.ts';

const WORKSPACE = 1;
const NOWHERE = 'https://127.0.0.1:1/';
/** Attempts that begin, and end, at the same time. */
const AT_ONCE = 20;
const GROUPS_A_TURN = 10;
/** Deliveries that were delivered before. */
const HISTORY = 20_000;
const LEASE_MS = 3_600_000;
const RULES = {
  retryScheduleMs: CONTRACT_SCHEDULE_MS,
  maxAttempts: 8,
  disableAfter: 20,
  disableMinOutageMs: 0,
};
const RESULT = { kind: 'responded', status: 200, excerpt: 'ok', durationMs: 5 } as const;
const PARTS = [
  { part: 'begin', path: `begin of ${AT_ONCE} attempts` },
  { part: 'outcome', path: `outcome of ${AT_ONCE} attempts` },
] as const;

/** Measures attempts in a workspace with many claims next to one with few, by the worker's own functions. */
export async function measureAttemptGrowth(context: BenchContext): Promise<Row[]> {
  const { claims, fewClaims } = context.options.growth;
  const few = await openClaims(context, 'growth_few_claims', fewClaims);
  const many = await openClaims(context, 'growth_claims', claims);
  const rows: Row[] = [];
  for (const { part, path } of PARTS) {
    rows.push(
      ...(await compareSizes(context, {
        group: 'growth-attempts',
        path,
        unit: 'ms',
        few: few.contestant(part),
        many: many.contestant(part),
        atMost: 1.2,
      })),
    );
  }
  await Promise.all([few.db.close(), many.db.close()]);
  return rows;
}

async function openClaims({ stack, say }: BenchContext, name: string, count: number) {
  say(`claiming ${count.toLocaleString('en')} deliveries of one workspace`);
  const db = new Database({
    url: await stack.createDatabase(name),
    poolSize: 4,
    applicationName: 'bench',
    statementTimeoutMs: 60_000,
    // As the worker does.
    keepPlans: true,
  });
  await addWorkspace(db, WORKSPACE);
  await addBenchEndpoint(db, WORKSPACE, NOWHERE);
  await captureRecords(
    db,
    Array.from({ length: count }, (_, n) =>
      captureRecord.parse(engagementEvent(WORKSPACE, `claimed ${n}`, n)),
    ),
  );
  await addHistory(db);
  const limits = { batch: count, endpointLimit: count, workspaceLimit: count, leaseMs: LEASE_MS };
  let { claims } = await claimReady(db, limits);
  if (claims.length !== count) throw new Error(`${claims.length} of ${count} deliveries were claimed`);
  await db.$executeRawUnsafe('VACUUM ANALYZE');

  const begin = beginAttemptsInGroups(db, LEASE_MS);
  const record = recordOutcomesInGroups(db, RULES);

  /** Makes attempts, and undoes them, so that as many claims as before are held. */
  async function attempt(): Promise<{ begin: number; outcome: number }> {
    const own = claims.slice(0, AT_ONCE);
    const startedMs = performance.now();
    const beginnings = await Promise.all(own.map((claim) => begin(claim)));
    const begunMs = performance.now();
    const attempts = beginnings.map((beginning, n) => requireBegun(beginning, own[n]!));
    const beganMs = performance.now();
    const recorded = await Promise.all(attempts.map((one) => record(one, RESULT)));
    const recordedMs = performance.now();
    for (const one of recorded) {
      if (!one.written || one.status !== 'delivered')
        throw new Error(`wrong outcome: ${JSON.stringify(one)}`);
    }
    claims = [...claims.slice(AT_ONCE), ...(await claimAgain(db, own))];
    return { begin: begunMs - startedMs, outcome: recordedMs - beganMs };
  }

  const contestant = (part: 'begin' | 'outcome'): Contestant => ({
    name: `${count.toLocaleString('en')} claims held`,
    async run() {
      let totalMs = 0;
      for (let n = 0; n < GROUPS_A_TURN; n += 1) totalMs += (await attempt())[part];
      // As autovacuum does in time, but with both sizes equally often.
      await db.$executeRawUnsafe('VACUUM webhook_deliveries, webhook_attempts, webhook_endpoints');
      return { value: totalMs / GROUPS_A_TURN, cpuMs: {} };
    },
  });
  return { db, contestant };
}

/** Adds deliveries of the first event that were delivered long ago. */
async function addHistory(db: Database): Promise<void> {
  await db.$executeRaw`
    INSERT INTO webhook_deliveries
      (company_id, id, endpoint_id, event_id, event_type, created_at, status, attempts, delivered_at, ready)
    SELECT company_id, id - n, endpoint_id, event_id, event_type, created_at, 'delivered', 1, created_at, false
    FROM (SELECT * FROM webhook_deliveries ORDER BY id LIMIT 1) AS first, generate_series(1, ${HISTORY}::int) AS n`;
}

type Beginning = Awaited<ReturnType<ReturnType<typeof beginAttemptsInGroups>>>;

function requireBegun(beginning: Beginning, claim: Claim): Attempt {
  if (beginning.kind !== 'begun' || beginning.attempt.deliveryId !== claim.deliveryId) {
    throw new Error(`the attempt of delivery ${claim.deliveryId} has not begun: ${beginning.kind}`);
  }
  return beginning.attempt;
}

/**
 * Claims deliveries again that were delivered, and removes their attempts.
 *
 * @throws Error unless each of them had one attempt.
 */
async function claimAgain(db: Database, claims: readonly Claim[]): Promise<Claim[]> {
  const ids = claims.map(({ deliveryId }) => deliveryId);
  const removed = await db.webhookAttempt.deleteMany({ where: { deliveryId: { in: ids } } });
  const claimed = await db.$queryRaw<Claim[]>`
    UPDATE webhook_deliveries
    SET status = 'pending', attempts = 0, delivered_at = NULL, last_status_code = NULL, next_attempt_at = created_at,
      claim_token = gen_random_uuid(), lease_expires_at = now() + ${LEASE_MS}::float8 * interval '1 millisecond'
    WHERE id = ANY (${ids}::bigint[]) AND status = 'delivered'
    RETURNING company_id AS "companyId", id AS "deliveryId", claim_token AS "claimToken"`;
  if (removed.count !== claims.length || claimed.length !== claims.length) {
    throw new Error(`${removed.count} attempts and ${claimed.length} deliveries are stored`);
  }
  return claimed;
}

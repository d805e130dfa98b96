import { Database } from '@deal-signals/db/database';
import { claimReady, type Claimed } from '@deal-signals/deliveries/claims/claim-ready';
import { markDue } from '@deal-signals/deliveries/claims/mark-due';
import { requeueWorkspaces } from '@deal-signals/deliveries/claims/ready-workspaces';
import { releaseClaims } from '@deal-signals/deliveries/claims/release-claims';
import type { BenchContext } from '../context.ts';
import { type Backlog, buildPending } from '../data/pending-deliveries.ts';
import { cpuPerUnit, readCpu } from '../measure/cpu.ts';
import type { Contestant } from '../measure/rounds.ts';
import type { Row } from '../report/row.ts';
import { compareSizes } from './compare-sizes.ts';

/** The defaults of the worker, which are the pace of the contract. */
const LIMITS = { batch: 50, endpointLimit: 50, workspaceLimit: 75, leaseMs: 30_000 };
const TICKS_A_TURN = 10;
const STATEMENT_TIMEOUT_MS = 600_000;
const BACKLOGS: { backlog: Backlog; name: string }[] = [
  { backlog: 'due', name: 'all due' },
  { backlog: 'waiting', name: 'all others waiting' },
  { backlog: 'parked', name: 'all others parked' },
  { backlog: 'due in many workspaces', name: 'of many workspaces' },
];
const PARTS = [
  { part: 'claim', path: 'claim of 50 deliveries' },
  { part: 'tick', path: 'tick: mark due, claim 50, requeue' },
] as const;

/** Measures claims and whole ticks with many pending deliveries next to those with few, by the worker's own functions. */
export async function measureClaimGrowth(context: BenchContext): Promise<Row[]> {
  const { pending, fewPending, workspaces } = context.options.growth;
  // A batch is shared between the first workspaces of the line, so both sizes need enough of them.
  const fewWorkspaces = Math.min(workspaces, Math.ceil(fewPending / 10));
  const rows: Row[] = [];
  for (const [n, { backlog, name }] of BACKLOGS.entries()) {
    const few = await openBacklog(context, `growth_few_pending_${n}`, backlog, fewPending, fewWorkspaces);
    const many = await openBacklog(context, `growth_pending_${n}`, backlog, pending, workspaces);
    for (const { part, path } of PARTS) {
      rows.push(
        ...(await compareSizes(context, {
          group: 'growth-claims',
          path: `${path}, ${name}`,
          unit: 'ms',
          few: few.contestant(part),
          many: many.contestant(part),
          atMost: 1.5,
        })),
      );
    }
    await Promise.all([few.db.close(), many.db.close()]);
  }
  return rows;
}

async function openBacklog(
  { stack, say }: BenchContext,
  name: string,
  backlog: Backlog,
  pending: number,
  workspaces: number,
) {
  const databaseUrl = await stack.createDatabase(name);
  const db = new Database({
    url: databaseUrl,
    poolSize: 1,
    applicationName: 'bench',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    // As the worker does.
    keepPlans: true,
  });
  await buildPending({ databaseUrl, db, backlog, pending, workspaces, due: LIMITS.batch, say });
  const expected = await expectedClaims(db, backlog, workspaces);
  const processes = { PostgreSQL: stack.postgresPid };
  const contestant = (part: 'claim' | 'tick'): Contestant => ({
    name: `${pending.toLocaleString('en')} pending`,
    async run() {
      const timesMs: number[] = [];
      const before = readCpu(processes);
      for (let n = 0; n < TICKS_A_TURN; n += 1) {
        const { claimed, claimMs, tickMs } = await tick(db);
        timesMs.push(part === 'claim' ? claimMs : tickMs);
        expected(claimed);
        await releaseClaims(db, claimed.claims);
      }
      const cpuMs = cpuPerUnit(before, readCpu(processes), TICKS_A_TURN);
      // As autovacuum does in time, but with both sizes equally often.
      await db.$executeRawUnsafe('VACUUM webhook_deliveries, ready_workspaces');
      return { value: timesMs.reduce((total, ms) => total + ms, 0) / TICKS_A_TURN, cpuMs };
    },
  });
  return { db, contestant };
}

/** What the dispatcher does in the database. */
async function tick(db: Database): Promise<{ claimed: Claimed; claimMs: number; tickMs: number }> {
  const startedMs = performance.now();
  await markDue(db);
  const markedMs = performance.now();
  const claimed = await claimReady(db, LIMITS);
  const claimedMs = performance.now();
  await db.transaction((tx) => requeueWorkspaces(tx, claimed.workspaces));
  return { claimed, claimMs: claimedMs - markedMs, tickMs: performance.now() - startedMs };
}

/** Returns a function that throws unless a batch was claimed as it should be. */
async function expectedClaims(db: Database, backlog: Backlog, workspaces: number) {
  // All are released again, so the first ones are claimed each time.
  const first = await db.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM webhook_deliveries WHERE ready ORDER BY id LIMIT ${LIMITS.batch}`;
  return ({ claims }: Claimed): void => {
    const ids = claims.map(({ deliveryId }) => deliveryId);
    const ofWorkspaces = new Set(claims.map(({ companyId }) => companyId)).size;
    const isRight =
      backlog === 'due in many workspaces'
        ? new Set(ids).size === LIMITS.batch && ofWorkspaces === Math.min(LIMITS.batch, workspaces)
        : String(ids) === String(first.map(({ id }) => id));
    if (!isRight) {
      throw new Error(
        `${backlog}: ${ids.length} deliveries of ${ofWorkspaces} workspaces were claimed: ${String(ids)}`,
      );
    }
  };
}

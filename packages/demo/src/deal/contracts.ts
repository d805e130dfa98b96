import { fillIn } from '../draw/fill-in.ts';
import { DAY_MS, later, part } from '../draw/moments.ts';
import type { InputOf, Timeline } from '../draw/timeline.ts';
import type { EsignStatus } from './deal-outlines.ts';
import type { Deal } from './deals.ts';

/** For each status, the statuses that a contract passes through to reach it, in order. */
const STATUSES_UP_TO: Record<EsignStatus, readonly EsignStatus[]> = {
  sent: ['sent'],
  delivered: ['sent', 'delivered'],
  viewed: ['sent', 'delivered', 'viewed'],
  signed_partial: ['sent', 'delivered', 'viewed', 'signed_partial'],
  completed: ['sent', 'delivered', 'viewed', 'signed_partial', 'completed'],
  declined: ['sent', 'delivered', 'viewed', 'declined'],
  voided: ['sent', 'delivered', 'voided'],
};

/** The record of a contract that has just reached a status. It leaves the times of earlier statuses as they are. */
export function contractInput(deal: Deal, version: number, status: EsignStatus, at: Date): InputOf<'esign'> {
  const moment = at.toISOString();
  const id = deal.random.uuid(`contract ${version}`);
  return {
    record: 'esign',
    companyId: deal.workspace.id,
    id: `esign-${id.slice(0, 8)}`,
    roomId: deal.roomId,
    vendor: 'demo-sign',
    envelopeId: id,
    subject: fillIn(
      version === 1
        ? 'Order form: {product} for {company}'
        : 'Order form, version 2: {product} for {company}',
      deal.facts,
    ),
    status,
    recipientCount: 2,
    lastEventAt: moment,
    ...(status === 'sent' && { sentAt: moment }),
    ...(status === 'viewed' && { firstViewedAt: moment }),
    ...(status === 'completed' && { completedAt: moment }),
    ...(status === 'declined' && { declinedAt: moment }),
  };
}

/** Adds the deal's contract, if one was sent, and the earlier version that it replaced, if there was one. */
export function addContract(timeline: Timeline, deal: Deal, contractAt: Date | null): void {
  const { contract, replacedContract } = deal.outline;
  if (contract === undefined || contractAt === null) return;
  const end = later(deal.endAt, -20 * 60_000);
  if (!replacedContract) {
    addVersion(timeline, deal, 1, contract, contractAt, end);
    return;
  }
  const replacedAt = part(contractAt, end, 0.5);
  addVersion(timeline, deal, 1, 'voided', contractAt, replacedAt);
  addVersion(
    timeline,
    deal,
    2,
    contract,
    later(replacedAt, Math.min(DAY_MS, (end.getTime() - replacedAt.getTime()) / 4)),
    end,
  );
}

/** Adds one version of the contract in its last status, with the times at which it reached each status. */
function addVersion(
  timeline: Timeline,
  deal: Deal,
  version: number,
  status: EsignStatus,
  from: Date,
  to: Date,
): void {
  const path = STATUSES_UP_TO[status];
  const stepAt = (step: EsignStatus, index: number) =>
    // Delivery follows sending within minutes; people take their time over the other steps.
    step === 'delivered' ? later(from, 90_000) : part(from, to, index / Math.max(1, path.length - 1));
  const steps = path.map((step, index) => contractInput(deal, version, step, stepAt(step, index)));
  const lastAt = stepAt(status, path.length - 1);
  timeline.add(lastAt, Object.assign({}, ...steps) as InputOf<'esign'>);
}

import type { Deal } from './deals.ts';
import type { EsignStatus } from './deal-outlines.ts';
import { fillIn } from '../draw/fill-in.ts';
import { DAY_MS, later, part } from '../draw/moments.ts';
import type { InputOf, Timeline } from '../draw/timeline.ts';

/** The way to each status: what a contract has been before. */
const WAY_TO: Record<EsignStatus, readonly EsignStatus[]> = {
  sent: ['sent'],
  delivered: ['sent', 'delivered'],
  viewed: ['sent', 'delivered', 'viewed'],
  signed_partial: ['sent', 'delivered', 'viewed', 'signed_partial'],
  completed: ['sent', 'delivered', 'viewed', 'signed_partial', 'completed'],
  declined: ['sent', 'delivered', 'viewed', 'declined'],
  voided: ['sent', 'delivered', 'voided'],
};

/** The record of a contract that has just reached a status. Fields of earlier statuses keep their values. */
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

/** Adds the deal's contract on its way to where it stands, after an earlier version that was taken back, if any. */
export function addContract(timeline: Timeline, deal: Deal, contractAt: Date | null): void {
  const { contract, replacedContract } = deal.outline;
  if (contract === undefined || contractAt === null) return;
  const end = later(deal.endAt, -20 * 60_000);
  if (!replacedContract) {
    addWay(timeline, deal, 1, contract, contractAt, end);
    return;
  }
  const replacedAt = part(contractAt, end, 0.5);
  addWay(timeline, deal, 1, 'voided', contractAt, replacedAt);
  addWay(
    timeline,
    deal,
    2,
    contract,
    later(replacedAt, Math.min(DAY_MS, (end.getTime() - replacedAt.getTime()) / 4)),
    end,
  );
}

/** Adds a version as it stands at the end of its way, with the times at which it took each step. */
function addWay(
  timeline: Timeline,
  deal: Deal,
  version: number,
  status: EsignStatus,
  from: Date,
  to: Date,
): void {
  const way = WAY_TO[status];
  const stepAt = (step: EsignStatus, index: number) =>
    // Delivery follows sending within minutes; people take their time for the rest.
    step === 'delivered' ? later(from, 90_000) : part(from, to, index / Math.max(1, way.length - 1));
  const steps = way.map((step, index) => contractInput(deal, version, step, stepAt(step, index)));
  const lastAt = stepAt(status, way.length - 1);
  timeline.add(lastAt, Object.assign({}, ...steps) as InputOf<'esign'>);
}

import { fillIn } from '../random/fill-in.ts';
import { DAY_MS, later, MINUTE_MS, part } from '../random/moments.ts';
import type { InputOf, Timeline } from '../random/timeline.ts';
import type { EsignStatus } from './deal-outlines.ts';
import type { Deal } from './deals.ts';

/** The statuses that a contract passes through, in order. Some contracts end in another status. */
const STATUSES: readonly EsignStatus[] = ['sent', 'delivered', 'viewed', 'signed_partial', 'completed'];
const ENDS: Partial<Record<EsignStatus, EsignStatus>> = { declined: 'viewed', voided: 'delivered' };

/** Returns the record of a contract that has just reached a status. It leaves the times of earlier statuses as they are. */
export function contractInput(deal: Deal, version: number, status: EsignStatus, at: Date): InputOf<'esign'> {
  const moment = at.toISOString();
  const id = deal.random.uuid(`contract ${version}`);
  return {
    record: 'esign',
    id: `esign-${id.slice(0, 8)}`,
    roomId: deal.roomId,
    vendor: 'demo-sign',
    envelopeId: id,
    subject: fillIn(
      `Order form${version > 1 ? `, version ${version}` : ''}: {product} for {company}`,
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

/** Adds the deal's contract, and the earlier version that it replaced, if there was one. */
export function addContract(
  timeline: Timeline,
  deal: Deal,
  status: EsignStatus,
  isReplaced: boolean,
  sentAt: Date,
): void {
  const end = later(deal.endAt, -20 * MINUTE_MS);
  if (!isReplaced) return addVersion(timeline, deal, 1, status, sentAt, end);
  const replacedAt = part(sentAt, end, 0.5);
  addVersion(timeline, deal, 1, 'voided', sentAt, replacedAt);
  const nextAt = later(replacedAt, Math.min(DAY_MS, (end.getTime() - replacedAt.getTime()) / 4));
  addVersion(timeline, deal, 2, status, nextAt, end);
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
  const passed = STATUSES.slice(0, STATUSES.indexOf(ENDS[status] ?? status) + 1);
  const path = status in ENDS ? [...passed, status] : passed;
  const times = path.map((step, index) =>
    // Delivery follows sending within minutes; people take their time over the other steps.
    step === 'delivered' ? later(from, 90_000) : part(from, to, index / Math.max(1, path.length - 1)),
  );
  const steps = path.map((step, index) => contractInput(deal, version, step, times[index]!));
  timeline.add(times.at(-1)!, Object.assign({}, ...steps) as InputOf<'esign'>);
}

import { HOUR_MS, later, MINUTE_MS, momentBetween, part } from '../random/moments.ts';
import type { InputOf, Timeline } from '../random/timeline.ts';
import type { DealCall } from './calls.ts';
import type { Deal } from './deals.ts';
import type { Milestones } from './milestones.ts';
import type { Buyer } from './people.ts';

/** A share link for one person. */
export interface ShareLink {
  id: string;
  buyer: Buyer;
  /** The recording that the link leads to. Null for a link to the documents only. */
  call: DealCall | null;
  sharedAt: Date;
  forwardedFrom?: ShareLink;
}

/** Creates a share link. The label must be unique among the deal's links. */
export function shareLink(deal: Deal, label: string, link: Omit<ShareLink, 'id'>): ShareLink {
  return { id: deal.random.uuid(`link ${label}`), ...link };
}

/** Returns the record of a share link. */
export function linkInput(
  { roomId }: Deal,
  { id, buyer, call, forwardedFrom }: ShareLink,
): InputOf<'distribution'> {
  return {
    record: 'distribution',
    id,
    roomId,
    recipientName: buyer.name,
    recipientEmail: buyer.email,
    ...(call && { callId: call.id }),
    ...(forwardedFrom && { forwardedFromDistributionId: forwardedFrom.id }),
  };
}

/** Returns the records of a forward: the recipient's own link, and the event of the person who forwarded. */
export function forwardInputs(
  deal: Deal,
  to: ShareLink,
  from: ShareLink,
): [InputOf<'distribution'>, InputOf<'event'>] {
  const metadata = { toName: to.buyer.name, toEmail: to.buyer.email, newDistributionId: to.id };
  return [linkInput(deal, to), eventInput(from, 'forward', to.sharedAt, to.id, { metadata })];
}

/** Returns the record of a buyer's action. The key must be unique among the link's events of this type. */
export function eventInput(
  link: ShareLink,
  type: string,
  at: Date,
  key: string,
  rest: Pick<InputOf<'event'>, 'docId' | 'metadata'> = {},
): InputOf<'event'> {
  const occurredAt = at.toISOString();
  return {
    record: 'event',
    key: `${link.id}/${key}/${type}`,
    type,
    occurredAt,
    distributionId: link.id,
    ...rest,
  };
}

/** Returns the record of a session in which a link's recording was played, or one document was read. */
export function viewInput(
  link: ShareLink,
  key: string,
  startedAt: Date,
  endedAt: Date,
  what: Pick<InputOf<'view'>, 'segments' | 'docId'>,
): InputOf<'view'> {
  return {
    record: 'view',
    key: `${link.id}/${key}`,
    distributionId: link.id,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt.toISOString(),
    ...what,
    ...(what.docId && { seconds: Math.round((endedAt.getTime() - startedAt.getTime()) / 1000) }),
  };
}

/**
 * Adds the share links of a deal. Procurement and legal get links to the documents only, and everyone else gets a link to a
 * recording. Some colleagues outside the committee get a forward.
 */
export function addShareLinks(
  timeline: Timeline,
  deal: Deal,
  { discovery, roomAt, demo, deepDive, contractAt }: Milestones,
): ShareLink[] {
  const random = deal.random.fork('links');
  const links: ShareLink[] = [];
  const share = (buyer: Buyer, label: string, call: DealCall | null, sharedAt: Date) => {
    const link = shareLink(deal, `${label} ${buyer.name}`, { buyer, call, sharedAt });
    links.push(link);
    timeline.add(sharedAt, linkInput(deal, link));
  };
  const soonAfter = (call: DealCall) => later(call.completedAt, random.integer(20, 100) * MINUTE_MS);

  share(deal.champion, 'discovery', discovery, roomAt);
  for (const buyer of deal.people.filter(({ listed, email }) => listed && email !== null)) {
    if (buyer.role === 'procurement' || buyer.role === 'legal') {
      if (contractAt !== null) share(buyer, 'documents', null, contractAt);
      continue;
    }
    if (demo !== null) share(buyer, 'demo', demo, soonAfter(demo));
    else if (buyer !== deal.champion) share(buyer, 'discovery', discovery, later(roomAt, HOUR_MS));
    if (deepDive !== null && buyer.role === 'technical_evaluator')
      share(buyer, 'deep dive', deepDive, soonAfter(deepDive));
  }
  return demo === null ? links : [...links, ...addForwards(timeline, deal, links, demo)];
}

/** Adds forwards of the demo to colleagues outside the committee, from people who watch it. */
function addForwards(
  timeline: Timeline,
  deal: Deal,
  links: readonly ShareLink[],
  demo: DealCall,
): ShareLink[] {
  const random = deal.random.fork('forwards');
  const sources = links.filter(({ call, buyer }) => call === demo && buyer.interest > 0.3);
  const outsiders = deal.people.filter(({ listed }) => !listed).slice(0, random.integer(0, 2));
  const forwards: ShareLink[] = [];
  for (const buyer of outsiders) {
    // The second colleague may get it from the first, so forwards can form a chain.
    const from = random.pick([...sources, ...forwards]);
    const [earliest, latest] = [later(from.sharedAt, HOUR_MS), part(from.sharedAt, deal.endAt, 0.6)];
    const sharedAt = momentBetween(random, earliest, latest);
    const forward = { buyer, call: demo, sharedAt, forwardedFrom: from };
    const link = shareLink(deal, `forward ${buyer.name}`, forward);
    timeline.add(sharedAt, ...forwardInputs(deal, link, from));
    forwards.push(link);
  }
  return forwards;
}

import type { CaptureInput } from '@deal-signals/capture/record';
import { actionItemInput } from '../deal/action-plans.ts';
import { callInput, drawCall, type DealCall } from '../deal/calls.ts';
import { drawDeal, type Deal } from '../deal/deals.ts';
import { documentInput, type RoomDocument } from '../deal/documents.ts';
import { buyerWith, type Buyer } from '../deal/people.ts';
import { memberInput, openingRoomInput } from '../deal/rooms.ts';
import { linkInput, shareLink, type ShareLink } from '../deal/share-links.ts';
import { summaryInput } from '../deal/summaries.ts';
import { fillIn } from '../draw/fill-in.ts';
import { DAY_MS, HOUR_MS, later } from '../draw/moments.ts';
import type { Random } from '../draw/random.ts';
import type { Workspace } from '../quarter/workspaces.ts';
import { COMPANY_NAMES } from '../texts/names.ts';
import type { LibraryDocument } from '../texts/offer.ts';

/** A deal of the live story, at the moment its room is opened. */
export interface Sale {
  deal: Deal;
  discovery: DealCall;
  demo: DealCall;
  /** The share links of two people who will be active and of one who will stay silent. */
  links: { champion: ShareLink; technician: ShareLink; finance: ShareLink };
  /** A person outside the buying committee. */
  colleague: Buyer;
  proposal: RoomDocument;
  proposalAsset: LibraryDocument;
  plan: { businessCase: string; signature: string };
  planDue: Date;
}

/** Draws a deal whose demo has just been processed. */
export function drawSale(workspace: Workspace, random: Random, now: Date): Sale {
  const deal = drawDeal({
    workspace,
    outline: { status: 'open', stage: 'contract', ageDays: 8, quietDays: 0 },
    name: random.pick(COMPANY_NAMES),
    random,
    now,
  });
  const demo = drawCall(deal, 'demo', 'demo', later(now, -2 * HOUR_MS));
  const link = (buyer: Buyer) => shareLink(deal, buyer.name, { buyer, call: demo, sharedAt: now });
  const proposalAsset = random.pick(workspace.offer.library.filter(({ category }) => category === 'pricing'));
  const { title, category, pages } = proposalAsset;
  return {
    deal,
    discovery: drawCall(deal, 'discovery', 'discovery', deal.startAt),
    demo,
    links: {
      champion: link(deal.champion),
      technician: link(buyerWith(deal.people, 'technical_evaluator')),
      finance: link(buyerWith(deal.people, 'finance')),
    },
    colleague: deal.people.find(({ listed }) => !listed) ?? deal.champion,
    proposal: { id: random.uuid('proposal'), title, category, pages, sharedAt: now },
    proposalAsset,
    plan: {
      businessCase: fillIn('Business case reviewed by {finance}', deal.facts),
      signature: fillIn('Signature by {buyer}', deal.facts),
    },
    planDue: later(now, 7 * DAY_MS),
  };
}

/** The records that exist when the room is opened. Of these, only the summary of the demo causes a webhook event. */
export function openingRecords(sale: Sale, now: Date): CaptureInput[] {
  const { deal, discovery, demo, links, proposal, proposalAsset, plan, planDue } = sale;
  return [
    callInput(deal, discovery, false),
    openingRoomInput(deal, discovery.id, now),
    callInput(deal, discovery, true),
    callInput(deal, demo, true),
    summaryInput(deal, demo),
    ...deal.people.filter(({ listed }) => listed).map((person) => memberInput(deal, person)),
    ...Object.values(links).map((link) => linkInput(deal, link)),
    documentInput(deal, proposal, proposalAsset.assetId),
    actionItemInput(deal, plan.businessCase, planDue),
    actionItemInput(deal, plan.signature, planDue),
  ];
}

import type { Facts } from '../draw/fill-in.ts';
import { DAY_MS, earliest, later } from '../draw/moments.ts';
import type { Random } from '../draw/random.ts';
import { sellersOf, type Seller, type Workspace } from '../quarter/workspaces.ts';
import type { Offer, Theme } from '../texts/offer.ts';
import type { DealOutline } from './deal-outlines.ts';
import { buyerWith, drawCommittee, type Buyer } from './people.ts';

/** One deal, with everything needed to make its calls, documents and messages. */
export interface Deal {
  workspace: Workspace;
  outline: DealOutline;
  random: Random;
  roomId: string;
  /** Name of the prospect company. */
  name: string;
  slug: string;
  business: string;
  owner: Seller;
  engineer: Seller;
  /** Start of the first call. */
  startAt: Date;
  /** Time of the last activity, which is also when a closed deal was closed. */
  endAt: Date;
  expectedCloseDate: Date;
  valueCents: number;
  people: Buyer[];
  champion: Buyer;
  /** The reasons to buy, most important first. */
  themes: Theme[];
  facts: Facts;
}

export interface DealPlan {
  workspace: Workspace;
  outline: DealOutline;
  /** First word of the prospect's name. */
  name: string;
  random: Random;
  now: Date;
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** Draws a deal from its outline. */
export function drawDeal({ workspace, outline, name, random, now }: DealPlan): Deal {
  const { offer } = workspace;
  const industry = random.pick(offer.industries);
  const company = `${name} ${industry.suffix}`;
  const slug = company.toLowerCase().replaceAll(' ', '-');
  const people = drawCommittee(random.fork('people'), offer, `${slug}.example`);
  const startAt = later(now, -outline.ageDays * DAY_MS - random.integer(0, 5) * 3_600_000);
  const endAt = earliest(later(now, -outline.quietDays * DAY_MS - random.integer(2, 40) * 60_000), now);
  const expectedCloseDate = drawCloseDate(random, outline, endAt, now);
  const [from, to] = offer.yearlyValue;
  const valueCents = Math.round((from + random.next() ** 2 * (to - from)) / 500) * 50_000;
  const owner = random.pick(sellersOf(workspace, 'account_executive'));
  const deal = {
    workspace,
    outline,
    random,
    roomId: random.uuid('room'),
    name: company,
    slug,
    business: industry.business,
    owner,
    engineer: random.pick(sellersOf(workspace, 'solution_engineer')),
    startAt,
    endAt,
    expectedCloseDate,
    valueCents,
    people,
    champion: buyerWith(people, 'champion'),
    themes: random.sample(offer.themes, 3),
  };
  return { ...deal, facts: dealFacts(deal, offer, random.fork('facts')) };
}

function drawCloseDate(random: Random, { status }: DealOutline, endAt: Date, now: Date): Date {
  if (status === 'won' || status === 'lost') return later(endAt, random.integer(-6, 9) * DAY_MS);
  if (status === 'dormant') return later(endAt, random.integer(5, 25) * DAY_MS);
  // As in real life, a few open deals have slipped past their close date.
  return later(now, (random.chance(0.15) ? -random.integer(2, 12) : random.integer(7, 60)) * DAY_MS);
}

/** The values for the placeholders in all texts about a deal. */
function dealFacts(deal: Omit<Deal, 'facts'>, offer: Offer, random: Random): Facts {
  const goLive = later(deal.expectedCloseDate, 75 * DAY_MS);
  const year = deal.valueCents / 100_000;
  return {
    company: deal.name,
    business: deal.business,
    product: offer.product,
    category: offer.category,
    seller: deal.workspace.name,
    owner: firstName(deal.owner.name),
    engineer: firstName(deal.engineer.name),
    champion: deal.champion.firstName,
    championTitle: deal.champion.title,
    buyer: buyerWith(deal.people, 'decision_maker').firstName,
    tech: buyerWith(deal.people, 'technical_evaluator').firstName,
    finance: buyerWith(deal.people, 'finance').firstName,
    sites: `${random.integer(3, 14)} ${offer.sites}`,
    employees: String(random.integer(6, 90) * 20),
    percent: String(random.integer(4, 14)),
    hours: String(random.integer(8, 30)),
    days: String(random.integer(3, 9)),
    weeks: String(random.integer(5, 11)),
    count: String(random.integer(12, 60)),
    value: `${Math.round(year)}k`,
    budget: `${Math.round((year * random.integer(85, 120)) / 100)}k`,
    discount: String(random.pick([5, 8, 10, 12])),
    goLive: MONTHS[goLive.getUTCMonth()] ?? '',
    closeMonth: MONTHS[deal.expectedCloseDate.getUTCMonth()] ?? '',
    theme: midSentence(deal.themes[0]?.label ?? ''),
    problem: deal.themes[0]?.problem ?? '',
    secondTheme: midSentence(deal.themes[1]?.label ?? ''),
    secondProblem: deal.themes[1]?.problem ?? '',
  };
}

function firstName(name: string): string {
  return name.split(' ')[0] ?? name;
}

/** Converts a label for use within a sentence: it starts in lower case, unless it starts with an abbreviation. */
function midSentence(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

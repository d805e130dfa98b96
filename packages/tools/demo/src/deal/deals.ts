import type { Facts } from '../random/fill-in.ts';
import { DAY_MS, earliest, HOUR_MS, later, MINUTE_MS } from '../random/moments.ts';
import type { Random } from '../random/random.ts';
import { sellersOf, type Seller, type Workspace } from '../quarter/workspaces.ts';
import type { Theme } from '../texts/offer.ts';
import type { DealOutline } from './deal-outlines.ts';
import { buyerWith, drawCommittee, type Buyer } from './people.ts';

/** One deal, with everything needed to make its calls, documents and messages. */
export interface Deal {
  workspace: Workspace;
  status: DealOutline[0];
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

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

/**
 * Draws a deal from its outline.
 *
 * @param name first word of the prospect's name.
 */
export function drawDeal(
  workspace: Workspace,
  [status, , ageDays, quietDays]: DealOutline,
  name: string,
  random: Random,
  now: Date,
): Deal {
  const { offer } = workspace;
  const industry = random.pick(offer.industries);
  const company = `${name} ${industry.suffix}`;
  const slug = company.toLowerCase().replaceAll(' ', '-');
  const people = drawCommittee(random.fork('people'), offer, `${slug}.example`);
  const startAt = later(now, -ageDays * DAY_MS - random.integer(0, 5) * HOUR_MS);
  const endAt = earliest(later(now, -quietDays * DAY_MS - random.integer(2, 40) * MINUTE_MS), now);
  const expectedCloseDate = drawCloseDate(random, status, endAt, now);
  const [from, to] = offer.yearlyValue;
  const deal = {
    workspace,
    status,
    random,
    roomId: random.uuid('room'),
    name: company,
    slug,
    business: industry.business,
    startAt,
    endAt,
    expectedCloseDate,
    valueCents: Math.round((from + random.next() ** 2 * (to - from)) / 500) * 50_000,
    owner: random.pick(sellersOf(workspace, 'account_executive')),
    engineer: random.pick(sellersOf(workspace, 'solution_engineer')),
    people,
    champion: buyerWith(people, 'champion'),
    themes: random.sample(offer.themes, 3),
  };
  return { ...deal, facts: drawFacts(deal, random.fork('facts')) };
}

function drawCloseDate(random: Random, status: Deal['status'], endAt: Date, now: Date): Date {
  if (status === 'won' || status === 'lost') return later(endAt, random.integer(-6, 9) * DAY_MS);
  if (status === 'dormant') return later(endAt, random.integer(5, 25) * DAY_MS);
  // As in real life, a few open deals have slipped past their close date.
  return later(now, (random.chance(0.15) ? -random.integer(2, 12) : random.integer(7, 60)) * DAY_MS);
}

/** The values for the placeholders in all texts about a deal. */
function drawFacts(deal: Omit<Deal, 'facts'>, random: Random): Facts {
  const { workspace, people, champion, themes, expectedCloseDate } = deal;
  const year = deal.valueCents / 100_000;
  const firstName = (name: string) => name.split(' ')[0]!;
  // Within a sentence, a label begins in lower case, unless it begins with an abbreviation.
  const inSentence = ({ label }: Theme) =>
    /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
  return {
    company: deal.name,
    business: deal.business,
    product: workspace.offer.product,
    owner: firstName(deal.owner.name),
    engineer: firstName(deal.engineer.name),
    champion: champion.firstName,
    championTitle: champion.title,
    buyer: buyerWith(people, 'decision_maker').firstName,
    tech: buyerWith(people, 'technical_evaluator').firstName,
    finance: buyerWith(people, 'finance').firstName,
    sites: `${random.integer(3, 14)} ${workspace.offer.sites}`,
    employees: String(random.integer(6, 90) * 20),
    percent: String(random.integer(4, 14)),
    hours: String(random.integer(8, 30)),
    days: String(random.integer(3, 9)),
    weeks: String(random.integer(5, 11)),
    count: String(random.integer(12, 60)),
    value: `${Math.round(year)}k`,
    budget: `${Math.round((year * random.integer(85, 120)) / 100)}k`,
    discount: String(random.pick([5, 8, 10, 12])),
    goLive: MONTH.format(later(expectedCloseDate, 75 * DAY_MS)),
    closeMonth: MONTH.format(expectedCloseDate),
    theme: inSentence(themes[0]!),
    problem: themes[0]!.problem,
    secondTheme: inSentence(themes[1]!),
    secondProblem: themes[1]!.problem,
  };
}

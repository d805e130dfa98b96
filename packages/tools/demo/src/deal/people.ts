import type { Random } from '../random/random.ts';
import { FAMILY_NAMES, FIRST_NAMES } from '../texts/names.ts';
import type { BuyingRole, Offer } from '../texts/offer.ts';

/** A person on the buying side. */
export interface Buyer {
  firstName: string;
  name: string;
  /** Null if only the name is known. */
  email: string | null;
  role: BuyingRole;
  title: string;
  /** How active the person is in the room, from 0 (silent) to 1. */
  interest: number;
  /** Whether the person is listed in the room's People section. The others can only receive a forward. */
  listed: boolean;
}

/** How active people in each role usually are. */
const INTEREST: Record<BuyingRole, readonly [from: number, to: number]> = {
  champion: [0.85, 1],
  technical_evaluator: [0.45, 0.8],
  end_user: [0.25, 0.6],
  decision_maker: [0.15, 0.45],
  finance: [0.15, 0.35],
  procurement: [0.1, 0.3],
  legal: [0.1, 0.25],
};

/** Every committee has these four roles; the others vary. */
const CORE: readonly BuyingRole[] = ['champion', 'decision_maker', 'technical_evaluator', 'finance'];
const FURTHER: readonly BuyingRole[] = ['end_user', 'end_user', 'procurement', 'legal', 'end_user'];

/**
 * Draws a buying committee with the champion first. A few members stay silent, and sometimes one is known only by name.
 * Two colleagues outside the committee come last; they may receive a forward.
 */
export function drawCommittee(random: Random, offer: Offer, domain: string): Buyer[] {
  const roles = [...CORE, ...random.sample(FURTHER, random.integer(1, 4))];
  const firstNames = random.sample(FIRST_NAMES, roles.length + 2);
  const familyNames = random.sample(FAMILY_NAMES, roles.length + 2);
  const silentRole = random.pick<BuyingRole>(['decision_maker', 'finance', 'finance', 'technical_evaluator']);
  const nameless = random.chance(0.4);

  const buyers = [...roles, 'end_user' as const, 'end_user' as const].map((role, index): Buyer => {
    const firstName = firstNames[index] ?? '';
    const name = `${firstName} ${familyNames[index]}`;
    const listed = index < roles.length;
    // Core members receive share links and need an email, so only the member after them can be without one.
    const withoutEmail = nameless && index === CORE.length;
    const silent = role === silentRole || withoutEmail || (role === 'legal' && random.chance(0.5));
    const [from, to] = INTEREST[role];
    return {
      firstName,
      name,
      email: withoutEmail ? null : `${mailbox(name)}@${domain}`,
      role,
      title: random.pick(offer.titles[role]),
      interest: silent ? 0 : from + random.next() * (to - from),
      listed,
    };
  });
  return buyers;
}

/**
 * Returns the first buyer with a role.
 *
 * @throws Error if there is none. Every committee has the four core roles.
 */
export function buyerWith(people: readonly Buyer[], role: BuyingRole): Buyer {
  const buyer = people.find((person) => person.role === role);
  if (buyer === undefined) throw new Error(`the committee has no ${role}`);
  return buyer;
}

/** Returns the local part of an email address: the words of the name in ASCII, joined by dots. */
function mailbox(name: string): string {
  return name
    .replaceAll('ø', 'o')
    .normalize('NFD')
    .replace(/[^A-Za-z -]/g, '')
    .replaceAll(' ', '.')
    .toLowerCase();
}

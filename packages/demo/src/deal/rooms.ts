import { calendarDate, momentBetween, part } from '../draw/moments.ts';
import type { InputOf, Timeline } from '../draw/timeline.ts';
import { callInput } from './calls.ts';
import type { Deal } from './deals.ts';
import type { Milestones } from './milestones.ts';
import type { Buyer } from './people.ts';
import { summaryInput } from './summaries.ts';

/** A record that sets fields of a deal's room. */
export function roomInput(deal: Deal, changes: Partial<InputOf<'room'>>): InputOf<'room'> {
  return { record: 'room', companyId: deal.workspace.id, id: deal.roomId, name: deal.name, ...changes };
}

/** The record that opens a deal's room. */
export function openingRoomInput(deal: Deal, sourceCallId: string, createdAt: Date): InputOf<'room'> {
  return roomInput(deal, {
    slug: deal.slug,
    status: 'open',
    ownerId: deal.owner.id,
    primaryContactEmail: deal.champion.email,
    expectedCloseDate: calendarDate(deal.expectedCloseDate),
    sourceCallId,
    createdAt: createdAt.toISOString(),
  });
}

/** The record of a person listed in the room's People section. */
export function memberInput(deal: Deal, { email, name, role, title }: Buyer): InputOf<'member'> {
  return { record: 'member', companyId: deal.workspace.id, roomId: deal.roomId, email, name, role, title };
}

/** Adds a deal's calls and their summaries. */
export function addCalls(timeline: Timeline, deal: Deal, { calls, discovery }: Milestones): void {
  for (const call of calls) {
    // The first call is recorded before its room exists and moves into it when the room is opened.
    timeline.add(call.completedAt, callInput(deal, call, call !== discovery), summaryInput(deal, call));
  }
}

/** Adds the room and its people. */
export function addRoom(timeline: Timeline, deal: Deal, milestones: Milestones): void {
  const { discovery, roomAt, contractAt, closedAt } = milestones;
  const { outline, endAt, people, champion } = deal;
  const random = deal.random.fork('room');

  // Once there is a contract, procurement becomes the primary contact, if it is part of the committee.
  const buyer = people.find(({ role, email }) => role === 'procurement' && email !== null);
  timeline.add(
    roomAt,
    {
      ...openingRoomInput(deal, discovery.id, roomAt),
      status: outline.status,
      ...(contractAt !== null && buyer !== undefined && { primaryContactEmail: buyer.email }),
      ...valueOf(deal, milestones),
      ...(closedAt !== null && { closedAt: closedAt.toISOString() }),
    },
    callInput(deal, discovery, true),
  );
  for (const person of people.filter(({ listed }) => listed)) {
    const joinedAt = person === champion ? roomAt : momentBetween(random, roomAt, part(roomAt, endAt, 0.4));
    timeline.add(joinedAt, memberInput(deal, person));
  }
}

/** The deal value: an estimate after the demo, rounded to thousands, and exact after the deep dive fixes the scope. */
function valueOf({ valueCents }: Deal, { demo, deepDive }: Milestones): Partial<InputOf<'room'>> {
  if (demo === null) return {};
  return { dealValueCents: deepDive === null ? Math.round(valueCents / 100_000) * 100_000 : valueCents };
}

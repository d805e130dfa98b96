import { calendarDate, HOUR_MS, later, MINUTE_MS, momentBetween, part } from '../random/moments.ts';
import type { InputOf, Timeline } from '../random/timeline.ts';
import type { LibraryDocument } from '../texts/offer.ts';
import { callInput } from './calls.ts';
import type { Deal } from './deals.ts';
import type { Milestones } from './milestones.ts';
import type { Buyer } from './people.ts';
import { summaryInput } from './summaries.ts';

/** Returns a record that sets fields of a deal's room. */
export function roomInput(deal: Deal, changes: Partial<InputOf<'room'>>): InputOf<'room'> {
  return { record: 'room', id: deal.roomId, name: deal.name, ...changes };
}

/** Returns the record that opens a deal's room. */
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

/** Returns the record of a person listed in the room's People section. */
export function memberInput({ roomId }: Deal, { email, name, role, title }: Buyer): InputOf<'member'> {
  return { record: 'member', roomId, email, name, role, title };
}

/** Adds a deal's calls and their summaries, its room and its people. */
export function addRoom(timeline: Timeline, deal: Deal, milestones: Milestones): void {
  const { calls, discovery, roomAt, demo, deepDive, contractAt, closedAt } = milestones;
  const { status, endAt, people, champion, valueCents } = deal;
  for (const call of calls) {
    // The first call is recorded before its room exists and moves into it when the room is opened.
    timeline.add(call.completedAt, callInput(deal, call, call !== discovery), summaryInput(deal, call));
  }
  // Once there is a contract, procurement becomes the primary contact, if it is part of the committee.
  const buyer = people.find(({ role, email }) => role === 'procurement' && email !== null);
  // The value is an estimate after the demo, rounded to thousands, and exact once the deep dive has fixed the scope.
  const dealValueCents = deepDive === null ? Math.round(valueCents / 100_000) * 100_000 : valueCents;
  const room = {
    ...openingRoomInput(deal, discovery.id, roomAt),
    status,
    ...(contractAt !== null && buyer !== undefined && { primaryContactEmail: buyer.email }),
    ...(demo !== null && { dealValueCents }),
    ...(closedAt !== null && { closedAt: closedAt.toISOString() }),
  };
  timeline.add(roomAt, room, callInput(deal, discovery, true));
  const random = deal.random.fork('room');
  for (const person of people.filter(({ listed }) => listed)) {
    const joinedAt = person === champion ? roomAt : momentBetween(random, roomAt, part(roomAt, endAt, 0.4));
    timeline.add(joinedAt, memberInput(deal, person));
  }
}

/** A document in a deal's room. */
export type RoomDocument = Omit<LibraryDocument, 'assetId'> & { id: string; sharedAt: Date };

/** Returns the record of a document: from the seller's library if it has an asset id, otherwise an upload by the prospect. */
export function documentInput(
  { roomId }: Deal,
  { id, title, category }: RoomDocument,
  assetId?: string,
): InputOf<'document'> {
  const origin = { uploadedByProspect: assetId === undefined, ...(assetId && { libraryAssetId: assetId }) };
  return { record: 'document', id, roomId, title, category, ...origin };
}

/** Adds the documents of a room: the seller's when their milestones are reached, the prospect's after the demo. */
export function addDocuments(timeline: Timeline, deal: Deal, milestones: Milestones): RoomDocument[] {
  const { roomAt, demo, deepDive, contractAt } = milestones;
  const random = deal.random.fork('documents');
  const { library, prospectDocuments } = deal.workspace.offer;
  const documents: RoomDocument[] = [];
  const add = (
    { title, category, pages }: (typeof prospectDocuments)[number],
    sharedAt: Date,
    assetId?: string,
  ) => {
    const document = { id: random.uuid(title), title, category, pages, sharedAt };
    documents.push(document);
    timeline.add(sharedAt, documentInput(deal, document, assetId));
  };
  const afterDemo = demo?.completedAt ?? null;
  /** When a document of a category is shared. Other categories follow the deep dive. */
  const sharedAt = new Map([
    ['overview', roomAt],
    ['case_study', afterDemo],
    ['security', afterDemo],
    ['pricing', afterDemo],
    ['legal', contractAt],
  ]);

  for (const asset of library) {
    const at = sharedAt.has(asset.category) ? sharedAt.get(asset.category)! : (deepDive?.completedAt ?? null);
    if (at !== null) add(asset, later(at, random.integer(5, 55) * MINUTE_MS), asset.assetId);
  }
  if (demo !== null) {
    for (const upload of random.sample(prospectDocuments, random.integer(1, 2)))
      add(upload, momentBetween(random, demo.completedAt, later(deal.endAt, -HOUR_MS)));
  }
  return documents;
}

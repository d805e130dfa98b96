import type { Queryable } from '@deal-signals/db/queryable';
import { GREATEST_ID } from '@deal-signals/db/feeds/position';
import { type Call, callText, findCalls } from '@deal-signals/serializers/calls/call';
import { type EngagementEvent, findNewestEngagementEvents } from '@deal-signals/serializers/engagement/event';
import { findMessageTexts } from '@deal-signals/serializers/engagement/message-text';
import { type EngagementView, findNewestEngagementViews } from '@deal-signals/serializers/engagement/view';
import { findDocuments } from '@deal-signals/serializers/rooms/document';
import { z } from 'zod';
import { allowsScope, requireScope } from '../../auth/scopes.ts';
import { getRoom } from '../../routes/feeds/decision-rooms.ts';
import { fitting, readObject } from '../records.ts';
import { cutText, shorten } from '../shorten.ts';
import { idArgument, sizeArgument, tool, type ToolCaller } from '../tool.ts';

const MAX_ENTRIES = 100;
/** Maximum number of documents of a room whose titles are read. */
const MAX_DOCUMENTS = 500;

/** Something that happened, in a line. */
interface Entry {
  at: string;
  /** Name and address; null if unknown. */
  who: string | null;
  /** The type of the event, `watched` or `read` for a session, or `call` with the kind of the call. */
  did: string;
  /** The title of the recording, document or call. */
  what: string | null;
  more?: unknown;
}

/** `what_happened`: the latest activity in one room, newest first. */
export const whatHappened = tool({
  name: 'what_happened',
  title: 'Tell what happened in a room',
  description:
    'Tells the story of one deal, newest first, one line each with names: what prospects did, what they watched and read, and what was said in calls. Call it to find out why a deal is hot or quiet. For older or whole records, call list_events, list_views and list_calls with room_id; for numbers and people, get_room.',
  scope: 'read:engagement',
  input: z.strictObject({
    room_id: idArgument.meta({
      description: 'The id of a room, from pipeline_overview or find_rooms, or buyerSpaceId of other records',
    }),
    limit: z
      .int()
      .min(1)
      .max(MAX_ENTRIES)
      .default(25)
      .meta({ description: 'Maximum number of entries. Long entries end the result earlier' }),
    ...sizeArgument,
  }),
  output: z.looseObject({
    room: z.object({ id: z.string(), name: z.string(), status: z.string() }),
    data: z.array(z.looseObject({ at: z.string(), did: z.string() })),
    hasMore: z.boolean(),
    notIncluded: z.array(z.string()),
  }),
  async run({ room_id: roomId, limit, max_characters }, caller, context) {
    // The result contains names of rooms and documents.
    requireScope(caller.key.scopes, 'read:rooms');
    const mayReadCalls = allowsScope(caller.key.scopes, 'read:calls');
    const { id, name, status } = await readObject(getRoom, roomId, caller, context);
    const entries = await tellStory(context.db, caller, roomId, limit);
    const data = fitting(entries.slice(0, limit), max_characters);
    return {
      room: { id, name, status },
      data,
      hasMore: data.length < entries.length,
      notIncluded: mayReadCalls ? [] : ['calls: the API key needs the scope read:calls'],
    };
  },
});

/**
 * Tells what happened in a room, newest first: at least the latest so many entries, if there are. Calls are left out unless the key
 * may read them.
 */
export async function tellStory(
  db: Queryable,
  { companyId, key }: ToolCaller,
  roomId: string,
  limit: number,
): Promise<Entry[]> {
  const newest = { roomId, before: GREATEST_ID, limit: limit + 1 };
  const titles = await titlesOf(db, companyId, roomId);
  const events = await findNewestEngagementEvents(db, companyId, newest);
  const views = await findNewestEngagementViews(db, companyId, newest);
  const calls = allowsScope(key.scopes, 'read:calls')
    ? await findCalls(db, companyId, { roomId, isNewestFirst: true, limit: limit + 1 })
    : [];
  const shownEvents = events.rows.map(({ text }) => JSON.parse(text) as EngagementEvent);
  const messages = shownEvents.filter(({ type }) => type === 'message').map((event) => event.id);
  const texts = await findMessageTexts(db, companyId, messages);
  return [
    ...shownEvents.map((event) => entryOfEvent(event, titles, texts.get(event.id))),
    ...views.rows.map(({ text }) => entryOfView(JSON.parse(text) as EngagementView, titles)),
    ...calls.map((row) => entryOfCall(JSON.parse(callText(row)) as Call)),
    // Texts of one length in UTC sort as their moments do.
  ].toSorted((a, b) => b.at.localeCompare(a.at));
}

/** The titles of a room's documents, by their ids. */
async function titlesOf(db: Queryable, companyId: number, roomId: string): Promise<Map<string, string>> {
  const documents = await findDocuments(db, companyId, { roomId, limit: MAX_DOCUMENTS });
  return new Map(documents.map(({ id, title }) => [id, title]));
}

function entryOfEvent(event: EngagementEvent, titles: ReadonlyMap<string, string>, message?: string): Entry {
  const { occurredAt, actor, type, demoTitle, docId, metadata } = event;
  const given = message === undefined ? metadata : { text: message };
  const details = Object.keys(given).length === 0 ? undefined : shorten(JSON.stringify(given), 300);
  return entryOf(occurredAt, whoIs(actor), type, titleOf(docId, titles) ?? demoTitle, details);
}

function entryOfView(view: EngagementView, titles: ReadonlyMap<string, string>): Entry {
  const { startedAt, actor, kind, demoTitle, docId, watchSeconds, completionPercent } = view;
  const details = { seconds: watchSeconds, ...(completionPercent !== null && { completionPercent }) };
  const did = kind === 'document' ? 'read' : 'watched';
  return entryOf(startedAt, whoIs(actor), did, titleOf(docId, titles) ?? demoTitle, details);
}

function entryOfCall({ occurredAt, owner, kind, title, summary }: Call): Entry {
  const details = summary && {
    headline: summary.headline,
    nextSteps: summary.nextSteps,
  };
  return entryOf(
    occurredAt,
    owner.name,
    `call: ${kind}`,
    title,
    details ? shorten(JSON.stringify(details), 600) : undefined,
  );
}

function entryOf(at: string, who: string | null, did: string, what: string | null, more: unknown): Entry {
  return {
    at,
    who: who && cutText(who, 200),
    did: cutText(did, 100),
    what: what && cutText(what, 200),
    ...(more !== undefined && { more }),
  };
}

function titleOf(docId: string | null, titles: ReadonlyMap<string, string>): string | null {
  return docId === null ? null : (titles.get(docId) ?? null);
}

function whoIs({ name, email }: EngagementEvent['actor']): string | null {
  return name && email ? `${name} <${email}>` : (name ?? email);
}

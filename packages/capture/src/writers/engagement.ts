import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import type { EntryOf } from '../records/entry.ts';
import { checkLinks, requireContext, takeNew } from '../transaction/engagement-context.ts';
import type { EngagedRoom, NewMessage, ShareLink } from '../transaction/engagement.ts';
import { identityOf } from '../records/identity.ts';
import { Problems } from '../records/problems.ts';
import { refuseTimesAhead } from './times-ahead.ts';
import { type EventToRecord, recordEvents } from './event.ts';

type EventEntry = EntryOf<'event' | 'message'>;

/**
 * Records engagement events and messages, and skips those already recorded. A prospect's message is also an engagement
 * event. The ids of all these events follow the order of the records.
 */
export async function writeEngagement(capture: CaptureTransaction, entries: EventEntry[]): Promise<void> {
  const context = await requireContext(capture, entries);
  const { links } = context;
  const problems = new Problems();
  const messages = entries.filter(isMessage);
  refuseTimesAhead(capture, problems, messages, 'sentAt');
  refuseTimesAhead(capture, problems, entries.filter(isEvent), 'occurredAt');
  problems.requireKnown(messages, 'roomId', context.rooms);
  checkLinks(problems, context, entries);
  for (const entry of messages) {
    const link = linkOf(entry, links);
    if (link !== null && link.room.id !== entry.record.roomId) {
      problems.add(entry, 'distributionId', "expected a distribution of the message's room");
    }
  }
  const sound = problems.leaveOut(entries, capture.onInvalid);

  const events: EventToRecord[] = [];
  for (const entry of takeNew(capture, context, sound)) {
    const { line, record } = entry;
    const identity = identityOf(record);
    const link = linkOf(entry, links);
    capture.changed.push(identity);
    if (isMessage(entry)) {
      const message = messageOf(entry);
      capture.engagement.messages.push(message);
      capture.effects.push({ line, identity, roomId: message.roomId });
      if (message.side === 'prospect') {
        events.push(messageEvent(entry, context.rooms.get(message.roomId)!, link));
      }
    } else if (isEvent(entry) && link !== null) events.push(eventOf(entry, link));
  }
  recordEvents(capture, events);
}

function isMessage(entry: EventEntry): entry is EntryOf<'message'> {
  return entry.record.record === 'message';
}

function isEvent(entry: EventEntry): entry is EntryOf<'event'> {
  return entry.record.record === 'event';
}

function linkOf({ record }: EventEntry, links: ReadonlyMap<string, ShareLink>): ShareLink | null {
  return links.get(record.distributionId ?? '') ?? null;
}

function messageOf({ record }: EntryOf<'message'>): NewMessage {
  const { key, roomId, side, sentAt, distributionId = null, text = null } = record;
  return { key, roomId, side, sentAt, distributionId, text };
}

function eventOf({ line, record }: EntryOf<'event'>, link: ShareLink): EventToRecord {
  return {
    line,
    source: 'event',
    key: record.key,
    type: record.type,
    occurredAt: record.occurredAt,
    metadata: record.metadata ?? {},
    docId: record.docId ?? null,
    room: link.room,
    link,
  };
}

function messageEvent(
  { line, record }: EntryOf<'message'>,
  room: EngagedRoom,
  link: ShareLink | null,
): EventToRecord {
  return {
    line,
    source: 'message',
    key: record.key,
    type: 'message',
    occurredAt: record.sentAt,
    metadata: {},
    docId: null,
    room,
    link,
  };
}

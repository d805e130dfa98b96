import type { CaptureTransaction } from '../capture-transaction.ts';
import { referenced, type EntryOf } from '../entry.ts';
import { holdRecords } from '../hold-records.ts';
import { knownRooms } from '../known.ts';
import { Problems, type Refuse } from '../problems.ts';
import { findShareLinks, type ShareLink } from '../share-links.ts';
import { refuseTimesAhead } from '../times-ahead.ts';
import { type NewEngagementEvent, recordEngagement } from './event.ts';
import { storeMessages } from './message.ts';

type EngagementEntry = EntryOf<'event' | 'message'>;

/**
 * Writes engagement events and messages, and skips those already recorded. A prospect's message is also an engagement
 * event. The ids of all these events follow the order of the records.
 *
 * @param refuse gets the records that contradict stored data; without it, the first of them is thrown.
 */
export async function writeEngagement(
  capture: CaptureTransaction,
  entries: EngagementEntry[],
  refuse?: Refuse<EngagementEntry>,
): Promise<void> {
  const problems = new Problems();
  const messages = entries.filter(isMessage);
  refuseTimesAhead(capture, problems, messages, 'sentAt');
  refuseTimesAhead(capture, problems, entries.filter(isEvent), 'occurredAt');
  problems.requireKnown(messages, 'roomId', await knownRooms(capture, referenced(messages, 'roomId')));
  const { links, unlinked } = await findShareLinks(capture, problems, entries);
  for (const entry of messages) {
    const link = linkOf(entry, links);
    if (link !== null && link.roomId !== entry.record.roomId) {
      problems.add(entry, 'distributionId', "expected a distribution of the message's room");
    }
  }
  await holdRecords(capture, problems, unlinked);
  const sound = problems.sound(entries, refuse).filter((entry) => !unlinked.includes(entry));

  const newMessages = await storeMessages(capture, sound.filter(isMessage));
  const events: NewEngagementEvent[] = [];
  for (const entry of sound) {
    const link = linkOf(entry, links);
    if (isMessage(entry)) {
      if (entry.record.side === 'prospect' && newMessages.has(entry.record.key)) {
        events.push(messageEvent(entry, link));
      }
    } else if (isEvent(entry) && link !== null) events.push(eventOf(entry, link));
  }
  await recordEngagement(capture, events);
}

function isMessage(entry: EngagementEntry): entry is EntryOf<'message'> {
  return entry.record.record === 'message';
}

function isEvent(entry: EngagementEntry): entry is EntryOf<'event'> {
  return entry.record.record === 'event';
}

function linkOf({ record }: EngagementEntry, links: Map<string, ShareLink>): ShareLink | null {
  return links.get(record.distributionId ?? '') ?? null;
}

function eventOf({ line, record }: EntryOf<'event'>, link: ShareLink): NewEngagementEvent {
  return {
    line,
    source: 'event',
    key: record.key,
    type: record.type,
    occurredAt: record.occurredAt,
    metadata: record.metadata ?? {},
    docId: record.docId ?? null,
    buyerSpaceId: link.roomId,
    link,
  };
}

function messageEvent({ line, record }: EntryOf<'message'>, link: ShareLink | null): NewEngagementEvent {
  return {
    line,
    source: 'message',
    key: record.key,
    type: 'message',
    occurredAt: record.sentAt,
    metadata: {},
    docId: null,
    buyerSpaceId: record.roomId,
    link,
  };
}

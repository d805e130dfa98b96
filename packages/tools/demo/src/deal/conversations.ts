import { fillIn } from '../random/fill-in.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS, momentBetween } from '../random/moments.ts';
import type { InputOf, Timeline } from '../random/timeline.ts';
import {
  CONTRACT_EXCHANGES,
  EVALUATION_EXCHANGES,
  type Exchange,
  LAST_WORDS,
  OPENING_EXCHANGES,
} from '../texts/room-talk.ts';
import type { Deal } from './deals.ts';
import type { Milestones } from './milestones.ts';
import type { ShareLink } from './share-links.ts';

/** Returns the record of a message in the room's conversation. It is a buyer's if it comes through a link, else the seller's. */
export function messageInput(
  { roomId, facts }: Deal,
  key: string,
  sentAt: Date,
  text: string,
  link?: ShareLink,
): InputOf<'message'> {
  return {
    record: 'message',
    key: `${roomId}/${key}`,
    roomId,
    side: link === undefined ? 'seller' : 'prospect',
    sentAt: sentAt.toISOString(),
    text: fillIn(text, facts),
    ...(link && { distributionId: link.id }),
  };
}

/** Adds the conversation: the buyers' questions with replies, and the last message of a lost or dormant deal. */
export function addConversation(
  timeline: Timeline,
  deal: Deal,
  { roomAt, demo, deepDive, contractAt }: Milestones,
  link: ShareLink,
): void {
  const random = deal.random.fork('conversation');
  const { status, endAt } = deal;
  const lastAt = later(endAt, -HOUR_MS);
  const add = (key: string, exchanges: readonly Exchange[], from: Date, to: Date) => {
    for (const [index, [question, answer]] of exchanges.entries()) {
      const askedAt = momentBetween(random, from, to);
      timeline.add(askedAt, messageInput(deal, `${key} ${index}/question`, askedAt, question, link));
      const answeredAt = later(askedAt, random.integer(8, 900) * MINUTE_MS);
      // The last question may still be waiting for a reply.
      if (answeredAt <= endAt)
        timeline.add(answeredAt, messageInput(deal, `${key} ${index}/answer`, answeredAt, answer));
    }
  };

  add('opening', [random.pick(OPENING_EXCHANGES)], roomAt, demo?.occurredAt ?? lastAt);
  if (demo !== null) {
    const about = deal.themes.map(({ question, answer }): Exchange => [question, answer]);
    const asked = [
      ...random.sample(about, random.integer(1, 3)),
      ...random.sample(EVALUATION_EXCHANGES, deepDive === null ? 1 : random.integer(2, 4)),
    ];
    add('evaluation', asked, demo.completedAt, contractAt ?? lastAt);
  }
  if (contractAt !== null)
    add('contract', random.sample(CONTRACT_EXCHANGES, random.integer(1, 2)), contractAt, lastAt);

  if (status === 'lost') {
    timeline.add(lastAt, messageInput(deal, 'end', lastAt, random.pick(LAST_WORDS.lost), link));
  } else if (status === 'dormant') {
    const at = later(endAt, random.integer(6, 20) * DAY_MS);
    timeline.add(at, messageInput(deal, 'end', at, random.pick(LAST_WORDS.dormant)));
  }
}

import { fillIn } from '../draw/fill-in.ts';
import { HOUR_MS, later, momentBetween } from '../draw/moments.ts';
import type { InputOf, Timeline } from '../draw/timeline.ts';
import {
  CONTRACT_EXCHANGES,
  EVALUATION_EXCHANGES,
  LAST_WORDS,
  OPENING_EXCHANGES,
  type Exchange,
} from '../texts/room-talk.ts';
import type { Deal } from './deals.ts';
import type { Milestones } from './milestones.ts';
import type { ShareLink } from './share-links.ts';

/** The record of a message in the room's conversation: a buyer's if it comes through a link, else the seller's. */
export function messageInput(
  deal: Deal,
  key: string,
  sentAt: Date,
  text: string,
  link?: ShareLink,
): InputOf<'message'> {
  return {
    record: 'message',
    companyId: deal.workspace.id,
    key: `${deal.roomId}/${key}`,
    roomId: deal.roomId,
    side: link === undefined ? 'seller' : 'prospect',
    sentAt: sentAt.toISOString(),
    text: fillIn(text, deal.facts),
    ...(link !== undefined && { distributionId: link.id }),
  };
}

/** Adds the conversation: the buyers' questions with replies, and the last message of a lost or dormant deal. */
export function addConversation(
  timeline: Timeline,
  deal: Deal,
  { roomAt, demo, deepDive, contractAt }: Milestones,
  championLink: ShareLink,
): void {
  const random = deal.random.fork('conversation');
  const { outline, endAt } = deal;
  const lastAt = later(endAt, -HOUR_MS);

  const addExchange = ({ prospect, seller }: Exchange, key: string, from: Date, to: Date) => {
    const askedAt = momentBetween(random, from, to);
    timeline.add(askedAt, messageInput(deal, `${key}/question`, askedAt, prospect, championLink));
    const answeredAt = later(askedAt, random.integer(8, 900) * 60_000);
    // The last question may still be waiting for a reply.
    if (answeredAt <= endAt)
      timeline.add(answeredAt, messageInput(deal, `${key}/answer`, answeredAt, seller));
  };

  addExchange(random.pick(OPENING_EXCHANGES), 'opening', roomAt, demo?.occurredAt ?? lastAt);
  if (demo !== null) {
    const about = deal.themes.map(({ question, answer }) => ({ prospect: question, seller: answer }));
    const asked = [
      ...random.sample(about, random.integer(1, 3)),
      ...random.sample(EVALUATION_EXCHANGES, deepDive === null ? 1 : random.integer(2, 4)),
    ];
    const until = contractAt ?? lastAt;
    for (const [index, exchange] of asked.entries()) {
      addExchange(exchange, `evaluation ${index}`, demo.completedAt, until);
    }
  }
  if (contractAt !== null) {
    for (const [index, exchange] of random.sample(CONTRACT_EXCHANGES, random.integer(1, 2)).entries()) {
      addExchange(exchange, `contract ${index}`, contractAt, lastAt);
    }
  }

  if (outline.status === 'lost') {
    timeline.add(lastAt, messageInput(deal, 'end', lastAt, random.pick(LAST_WORDS.lost), championLink));
  } else if (outline.status === 'dormant') {
    const at = later(endAt, random.integer(6, 20) * 24 * HOUR_MS);
    timeline.add(at, messageInput(deal, 'end', at, random.pick(LAST_WORDS.dormant)));
  }
}

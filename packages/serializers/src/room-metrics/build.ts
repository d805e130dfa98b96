import { dateTimeOrNull } from '../date-time.ts';
import { completionPercent, distinctSeconds } from '../engagement/played-ranges.ts';
import { serializeEsignDocument } from '../rooms/esign-document.ts';
import { serializeRoom } from '../rooms/room.ts';
import { ENGAGED_WITHIN_MS, engagementScore } from './engagement-score.ts';
import type { RoomMetricsRows, WatchRow } from './rows.ts';
import type { RoomMetrics } from './schema.ts';

type Stakeholder = RoomMetrics['stakeholders'][number];

/** A stakeholder under construction. */
interface Person {
  email: string | null;
  name: string | null;
  role: string | null;
  title: string | null;
  inCommittee: boolean;
  counts: Record<string, number>;
  openedDocs: Set<string>;
  watchSeconds: number;
  bestCompletionPercent: number;
  lastActivityAt: Date | null;
}

/** Builds the metrics object of a room, as of `now`. */
export function buildRoomMetrics(rows: RoomMetricsRows, now: Date): RoomMetrics {
  const people = gatherPeople(rows);
  const stakeholders = [...people.values()].map((person) => serializeStakeholder(person, now));
  const openedDocs = new Set([...people.values()].flatMap(({ openedDocs: docs }) => [...docs]));
  const lastActivityAt = latest([
    ...rows.eventCounts.map(({ lastAt }) => lastAt),
    ...rows.watches.map(({ lastAt }) => lastAt),
    ...rows.readings.map(({ lastAt }) => lastAt),
  ]);
  const engagedPeople = stakeholders.filter(({ status }) => status === 'engaged').length;
  const bestCompletionPercent = Math.max(0, ...rows.watches.map(completionOf));
  const docsOpened = openedDocs.size;
  return {
    room: serializeRoom(rows.room),
    engagementScore: engagementScore(
      { lastActivityAt, engagedPeople, bestCompletionPercent, docsOpened },
      now,
    ),
    totals: {
      events: sum(rows.eventCounts.map(({ count }) => count)),
      engagedPeople,
      silentPeople: stakeholders.filter(({ status }) => status === 'silent').length,
      trailerViews: sum(
        rows.eventCounts.filter(({ type }) => type === 'trailer_view').map(({ count }) => count),
      ),
      watchSeconds: sum(rows.watches.map(({ watchSeconds }) => watchSeconds)),
      bestCompletionPercent,
      docsOpened,
      lastActivityAt: dateTimeOrNull(lastActivityAt),
    },
    stakeholders,
    trailers: serializeTrailers(rows.watches),
    assets: serializeAssets(rows),
    actionPlan: {
      total: rows.counts.total,
      done: rows.counts.done,
      doneByProspect: rows.counts.doneByProspect,
      overdue: rows.counts.overdue,
      lastCompletedAt: dateTimeOrNull(rows.counts.lastCompletedAt),
    },
    conversation: {
      prospectMessages: rows.counts.prospectMessages,
      sellerMessages: rows.counts.sellerMessages,
      lastMessageAt: dateTimeOrNull(rows.counts.lastMessageAt),
    },
    esign: serializeEsign(rows),
  };
}

/**
 * Collects the room's stakeholders: the members of its People section, the recipients of its share links and the actors
 * of its events, merged by lower-cased email. People without an email are never merged: a member without an email is
 * identified by name, a recipient without an email by link.
 */
function gatherPeople({
  members,
  links,
  eventCounts,
  watches,
  readings,
}: RoomMetricsRows): Map<string, Person> {
  const people = new Map<string, Person>();

  function meet(key: string, email: string | null, name: string | null): Person {
    const known = people.get(key);
    if (known) {
      known.name ??= name;
      return known;
    }
    const person: Person = {
      email: email?.toLowerCase() ?? null,
      name,
      role: null,
      title: null,
      inCommittee: false,
      counts: {},
      openedDocs: new Set(),
      watchSeconds: 0,
      bestCompletionPercent: 0,
      lastActivityAt: null,
    };
    people.set(key, person);
    return person;
  }

  for (const { identity, email, name, role, title } of members) {
    const person = meet(personKey(email, `member ${identity}`), email, name);
    Object.assign(person, { role, title, inCommittee: true });
  }
  for (const { id, email, name } of links) meet(personKey(email, `link ${id}`), email, name);
  for (const { distributionId, email, name, type, count, docIds, lastAt } of eventCounts) {
    // A message without a link and without a sender's email cannot be attributed to anyone.
    if (distributionId === null && email === null) continue;
    const person = meet(personKey(email, `link ${distributionId}`), email, name);
    person.counts[type] = (person.counts[type] ?? 0) + count;
    if (type === 'doc_open') for (const docId of docIds) person.openedDocs.add(docId);
    person.lastActivityAt = latest([person.lastActivityAt, lastAt]);
  }
  for (const watch of watches) {
    const person = meet(personKey(watch.email, `link ${watch.distributionId}`), watch.email, null);
    person.watchSeconds += watch.watchSeconds;
    person.bestCompletionPercent = Math.max(person.bestCompletionPercent, completionOf(watch));
    person.lastActivityAt = latest([person.lastActivityAt, watch.lastAt]);
  }
  for (const { distributionId, email, name, lastAt } of readings) {
    const person = meet(personKey(email, `link ${distributionId}`), email, name);
    person.lastActivityAt = latest([person.lastActivityAt, lastAt]);
  }
  return people;
}

/** The key by which a person is merged: the email or, without one, the member or link the person comes from. */
function personKey(email: string | null, place: string): string {
  return email === null ? place : `email ${email.toLowerCase()}`;
}

function serializeStakeholder(person: Person, now: Date): Stakeholder {
  const times = (type: string) => person.counts[type] ?? 0;
  return {
    email: person.email,
    name: person.name,
    role: person.role,
    title: person.title,
    inCommittee: person.inCommittee,
    status: stakeholderStatus(person.lastActivityAt, now),
    trailerViews: times('trailer_view'),
    trailerCompletes: times('trailer_complete'),
    watchSeconds: person.watchSeconds,
    bestCompletionPercent: person.bestCompletionPercent,
    roomVisits: times('room_visit'),
    docOpens: times('doc_open'),
    docsOpened: person.openedDocs.size,
    mapCheckoffs: times('map_checkoff'),
    comments: times('comment'),
    messages: times('message'),
    forwards: times('forward'),
    lastActivityAt: dateTimeOrNull(person.lastActivityAt),
  };
}

function stakeholderStatus(lastActivityAt: Date | null, now: Date): Stakeholder['status'] {
  if (lastActivityAt === null) return 'silent';
  return now.getTime() - lastActivityAt.getTime() <= ENGAGED_WITHIN_MS ? 'engaged' : 'dormant';
}

/** The percentage of a recording that was played over all views of one link; 0 if its length is unknown. */
function completionOf({ segments, durationSeconds }: WatchRow): number {
  return completionPercent(distinctSeconds(segments, durationSeconds), durationSeconds) ?? 0;
}

function serializeTrailers(watches: WatchRow[]): RoomMetrics['trailers'] {
  const recordings = new Map(watches.map((watch) => [watch.demoId, watch]));
  return [...recordings.values()].map(({ demoId, title, kind, durationSeconds }) => {
    const shares = watches.filter((watch) => watch.demoId === demoId);
    return {
      id: demoId,
      title,
      kind,
      durationSeconds,
      recipients: new Set(
        shares.map(({ email, distributionId }) => personKey(email, `link ${distributionId}`)),
      ).size,
      views: sum(shares.map(({ views }) => views)),
      watchSeconds: sum(shares.map(({ watchSeconds }) => watchSeconds)),
      bestCompletionPercent: Math.max(...shares.map(completionOf)),
    };
  });
}

function serializeAssets({ documents, readings }: RoomMetricsRows): RoomMetrics['assets'] {
  return documents.map((document) => {
    const viewers = readings.filter(({ docId }) => docId === document.id);
    return {
      id: document.id,
      title: document.title,
      category: document.category,
      uploadedByProspect: document.uploadedByProspect,
      libraryAssetId: document.libraryAssetId,
      opens: document.opens,
      uniqueViewers: new Set(
        viewers.map(({ email, distributionId }) => personKey(email, `link ${distributionId}`)),
      ).size,
      totalSeconds: sum(viewers.map(({ seconds }) => seconds)),
      lastViewedAt: dateTimeOrNull(latest(viewers.map(({ lastAt }) => lastAt))),
      viewers: viewers.map(({ distributionId, email, name, seconds, sessions, lastAt }) => ({
        distributionId,
        email,
        name,
        seconds,
        sessions,
        lastViewedAt: dateTimeOrNull(lastAt),
      })),
    };
  });
}

function serializeEsign({ esigns }: RoomMetricsRows): RoomMetrics['esign'] {
  const eventTime = (at: Date | null) => at?.getTime() ?? Number.NEGATIVE_INFINITY;
  const newest = esigns.toSorted((a, b) => eventTime(b.lastEventAt) - eventTime(a.lastEventAt))[0];
  return { status: newest?.status ?? null, documents: esigns.map(serializeEsignDocument) };
}

function latest(moments: (Date | null)[]): Date | null {
  return moments.reduce((newest, moment) => {
    if (newest === null || moment === null) return newest ?? moment;
    return moment > newest ? moment : newest;
  }, null);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

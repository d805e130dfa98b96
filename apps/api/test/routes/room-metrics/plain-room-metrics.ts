import type { Database } from '@deal-signals/db/database';

// A second, plain implementation of the room metrics: it loads every row of the workspace and loops over them. It shares no code
// with the product, so a mistake is not made twice.

const DAY_MS = 86_400_000;
const iso = (at: Date | null | undefined) => (at ? at.toISOString() : null);
const newest = (dates: Date[]) => (dates.length === 0 ? null : new Date(Math.max(...dates.map(Number))));

/** Returns the computed parts of the metrics. Stakeholders are sorted by person, and lists by id. */
export async function plainRoomMetrics(db: Database, companyId: number, roomId: string, now: Date) {
  const where = { companyId };
  const inRoom = <T extends { roomId: string }>(rows: T[]) => rows.filter((row) => row.roomId === roomId);
  const members = inRoom(await db.roomMember.findMany({ where }));
  const links = inRoom(await db.distribution.findMany({ where }));
  const documents = inRoom(await db.document.findMany({ where }));
  const items = inRoom(await db.actionItem.findMany({ where }));
  const messages = inRoom(await db.message.findMany({ where }));
  const esigns = inRoom(await db.esignDocument.findMany({ where }));
  const calls = await db.call.findMany({ where });
  const events = (await db.engagementEvent.findMany({ where })).filter((row) => row.buyerSpaceId === roomId);
  const views = (await db.engagementView.findMany({ where })).filter((row) => row.buyerSpaceId === roomId);

  // Only the identity that an erasure has left is read from a row. Otherwise the other columns determine the person.
  const erased = (identity: string | null) => (identity?.startsWith('erased:') ? identity : null);
  const person = (identity: string | null, email: string | null, otherwise: string) =>
    erased(identity) ?? (email === null ? otherwise : email.toLowerCase());
  const personOfEvent = (event: (typeof events)[number]) =>
    erased(event.identity) === null && event.actorEmail === null && event.distributionId === null
      ? null
      : person(event.identity, event.actorEmail, `link ${event.distributionId}`);
  const personOfView = (view: (typeof views)[number]) =>
    person(view.identity, view.actorEmail, `link ${view.distributionId}`);
  const recipientOf = (link: (typeof links)[number]) =>
    person(link.identity, link.recipientEmail, `link ${link.id}`);
  const personOfMember = (member: (typeof members)[number]) =>
    person(member.identity, member.email, `member ${member.identity}`);

  /** Returns the percentage of a recording's seconds that one person watched over one link. */
  function completion(linkId: string, demoId: string, who: string): number {
    const duration = calls.find((call) => call.id === demoId)?.durationSeconds ?? 0;
    if (duration === 0) return 0;
    const quarters = new Set<number>();
    for (const view of views) {
      if (view.distributionId !== linkId || view.demoId !== demoId || personOfView(view) !== who) continue;
      for (const [from, to] of view.segments as [number, number][]) {
        for (let at = from; at < to; at += 0.25) if (at < duration) quarters.add(at);
      }
    }
    return Math.floor((quarters.size * 25) / duration);
  }
  const best = (those: typeof views) =>
    Math.max(
      0,
      ...those
        .filter((v) => v.demoId !== null)
        .map((v) => completion(v.distributionId, v.demoId as string, personOfView(v))),
    );
  const watched = (those: typeof views) =>
    Math.floor(
      those
        .filter((view) => view.kind === 'trailer')
        .flatMap((view) => view.segments as [number, number][])
        .reduce((sum, [from, to]) => sum + to - from, 0),
    );

  const everybody = new Set<string>();
  for (const member of members) everybody.add(personOfMember(member));
  for (const link of links) everybody.add(recipientOf(link));
  for (const event of events) {
    const actor = personOfEvent(event);
    if (actor !== null) everybody.add(actor);
  }
  for (const view of views) everybody.add(personOfView(view));

  const stakeholders = [...everybody].map((who) => {
    const theirs = events.filter((event) => personOfEvent(event) === who);
    const seen = views.filter((view) => personOfView(view) === who);
    const count = (type: string) => theirs.filter((event) => event.type === type).length;
    const last = newest([...theirs.map((e) => e.occurredAt), ...seen.map((v) => v.endedAt)]);
    const member = members.find((m) => personOfMember(m) === who);
    return {
      who,
      inCommittee: member !== undefined,
      role: member?.role ?? null,
      title: member?.title ?? null,
      status:
        last === null ? 'silent' : now.getTime() - last.getTime() <= 30 * DAY_MS ? 'engaged' : 'dormant',
      trailerViews: count('trailer_view'),
      trailerCompletes: count('trailer_complete'),
      watchSeconds: watched(seen),
      bestCompletionPercent: best(seen),
      roomVisits: count('room_visit'),
      docOpens: count('doc_open'),
      docsOpened: new Set(theirs.filter((e) => e.type === 'doc_open' && e.docId).map((e) => e.docId)).size,
      mapCheckoffs: count('map_checkoff'),
      comments: count('comment'),
      messages: count('message'),
      forwards: count('forward'),
      lastActivityAt: iso(last),
    };
  });

  const demoIds = new Set(
    [...links.map((l) => l.callId), ...views.map((v) => v.demoId)].filter((id) => id !== null),
  );
  const trailers = [...demoIds].toSorted().map((demoId) => {
    const call = calls.find((candidate) => candidate.id === demoId);
    const seen = views.filter((view) => view.demoId === demoId);
    const recipients = new Set([
      ...links.filter((link) => link.callId === demoId).map(recipientOf),
      ...seen.map(personOfView),
    ]);
    return {
      id: demoId,
      title: call?.title ?? null,
      kind: call?.kind,
      durationSeconds: call?.durationSeconds ?? null,
      recipients: recipients.size,
      views: seen.length,
      watchSeconds: watched(seen),
      bestCompletionPercent: best(seen),
    };
  });

  const assets = documents
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((document) => {
      const readings = views.filter((view) => view.docId === document.id);
      const viewers = new Map<string, typeof readings>();
      for (const view of readings.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        const who = erased(view.identity)?.slice('erased:'.length) ?? view.actorEmail?.toLowerCase() ?? '';
        const viewer = `${view.distributionId} ${who}`;
        viewers.set(viewer, [...(viewers.get(viewer) ?? []), view]);
      }
      return {
        id: document.id,
        title: document.title,
        category: document.category,
        uploadedByProspect: document.uploadedByProspect,
        libraryAssetId: document.libraryAssetId,
        opens: events.filter((event) => event.type === 'doc_open' && event.docId === document.id).length,
        uniqueViewers: new Set(readings.map(personOfView)).size,
        totalSeconds: readings.reduce((sum, view) => sum + view.watchSeconds, 0),
        lastViewedAt: iso(newest(readings.map((view) => view.endedAt))),
        viewers: [...viewers.keys()].toSorted().map((viewer) => {
          const theirs = viewers.get(viewer) ?? [];
          return {
            distributionId: theirs[0]?.distributionId,
            email: theirs.at(-1)?.actorEmail ?? null,
            name: theirs.findLast((view) => view.actorName !== null)?.actorName ?? null,
            seconds: theirs.reduce((sum, view) => sum + view.watchSeconds, 0),
            sessions: theirs.length,
            lastViewedAt: iso(newest(theirs.map((view) => view.endedAt))),
          };
        }),
      };
    });

  const last = newest([...events.map((event) => event.occurredAt), ...views.map((view) => view.endedAt)]);
  const engagedPeople = stakeholders.filter(({ status }) => status === 'engaged').length;
  const docsOpened = new Set(events.filter((e) => e.type === 'doc_open' && e.docId).map((e) => e.docId)).size;
  const ageDays = last === null ? Number.POSITIVE_INFINITY : (now.getTime() - last.getTime()) / DAY_MS;
  const recency = ageDays <= 3 ? 40 : ageDays <= 7 ? 30 : ageDays <= 14 ? 20 : ageDays <= 30 ? 10 : 0;
  const depth = Math.min(15, Math.round(best(views) * 0.15)) + Math.min(15, docsOpened * 5);
  const today = now.toISOString().slice(0, 10);
  const overdue = items.filter(
    (item) =>
      item.completedAt === null && item.dueDate !== null && item.dueDate.toISOString().slice(0, 10) < today,
  );
  const newestEsign = esigns.toSorted(
    (a, b) => Number(b.lastEventAt ?? -1e15) - Number(a.lastEventAt ?? -1e15),
  )[0];
  return {
    engagementScore: Math.min(100, recency + Math.min(30, 10 * engagedPeople) + depth),
    totals: {
      events: events.length,
      engagedPeople,
      silentPeople: stakeholders.filter(({ status }) => status === 'silent').length,
      trailerViews: events.filter((event) => event.type === 'trailer_view').length,
      watchSeconds: watched(views),
      bestCompletionPercent: best(views),
      docsOpened,
      lastActivityAt: iso(last),
    },
    stakeholders: stakeholders.toSorted((a, b) => (a.who < b.who ? -1 : 1)),
    trailers,
    assets,
    actionPlan: {
      total: items.length,
      done: items.filter((item) => item.completedAt !== null).length,
      doneByProspect: items.filter((item) => item.completedBy === 'prospect').length,
      overdue: overdue.length,
      lastCompletedAt: iso(newest(items.flatMap((item) => item.completedAt ?? []))),
    },
    conversation: {
      prospectMessages: messages.filter(({ side }) => side === 'prospect').length,
      sellerMessages: messages.filter(({ side }) => side === 'seller').length,
      lastMessageAt: iso(newest(messages.map(({ sentAt }) => sentAt))),
    },
    esignStatus: newestEsign?.status ?? null,
    esignDocuments: esigns.map(({ id }) => id).toSorted(),
  };
}

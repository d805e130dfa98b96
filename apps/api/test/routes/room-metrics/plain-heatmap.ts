import type { Database } from '@deal-signals/db/database';

// A second, plain implementation of the heat-map. It shares no code with the product. Sessions are in quarters of a second.

/** Returns the computed parts of a link's heat-map, from its views. */
export async function plainHeatmap(db: Database, companyId: number, linkId: string) {
  const link = await db.distribution.findUniqueOrThrow({
    where: { companyId_id: { companyId, id: linkId } },
    include: { call: true },
  });
  const demoId = link.callId;
  const views = await db.engagementView.findMany({
    where: { companyId, distributionId: linkId, kind: 'trailer' },
    orderBy: { id: 'asc' },
  });
  const sessions = views
    .filter((view) => view.demoId === demoId)
    .map((view) => ({ ...view, ranges: view.segments as [number, number][] }));
  const duration = link.call?.durationSeconds || null;
  const quarters = new Set<number>();
  for (const { ranges } of sessions) {
    for (const [from, to] of ranges) {
      for (let at = from; at < Math.min(to, duration ?? 0); at += 0.25) quarters.add(at);
    }
  }
  return {
    distributionId: linkId,
    demoId,
    actor: { name: link.recipientName, email: link.recipientEmail },
    views: sessions.length,
    watchSeconds: Math.floor(
      sessions.flatMap(({ ranges }) => ranges).reduce((sum, [from, to]) => sum + to - from, 0),
    ),
    bestCompletionPercent: duration === null ? 0 : Math.floor((quarters.size * 25) / duration),
    lastViewedAt:
      sessions.length === 0
        ? null
        : new Date(Math.max(...sessions.map(({ endedAt }) => Number(endedAt)))).toISOString(),
    buckets: duration === null ? [] : plainBuckets(sessions, duration),
  };
}

function plainBuckets(sessions: { ranges: [number, number][] }[], duration: number) {
  const size = Math.max(1, Math.ceil(duration / 200));
  const counted = [];
  for (let start = 0; start < duration; start += size) {
    const end = Math.min(duration, start + size);
    let plays = 0;
    let visitors = 0;
    for (const { ranges } of sessions) {
      const played = passesOf(ranges).map(([from, to]) => Math.min(to, end) - Math.max(from, start));
      plays += played.filter((seconds) => seconds >= (end - start) / 2).length;
      if (played.some((seconds) => seconds > 0)) visitors += 1;
    }
    counted.push({
      startSeconds: start,
      endSeconds: end,
      plays,
      rewatches: Math.max(0, plays - visitors),
    });
  }
  const max = Math.max(1, ...counted.map(({ plays }) => plays));
  return counted.map((bucket) => ({ ...bucket, intensity: Math.round((100 * bucket.plays) / max) }));
}

/** Returns the ranges of a session, where a range that starts at the end of the previous one continues it. */
function passesOf(ranges: [number, number][]): [number, number][] {
  const passes: [number, number][] = [];
  for (const [from, to] of ranges) {
    const last = passes.at(-1);
    if (last?.[1] === from) last[1] = to;
    else passes.push([from, to]);
  }
  return passes;
}

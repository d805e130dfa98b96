import { setImmediate as nextTurn } from 'node:timers/promises';
import { dateTimeOrNull } from '../date-time.ts';
import { serializeEsignDocument } from '../rooms/esign-document.ts';
import { type Room, roomText } from '../rooms/room.ts';
import { ENGAGED_WITHIN_MS, engagementScore } from './engagement-score.ts';
import type { Chunks } from './json-lists.ts';
import type { PersonRow, ReadingRow, RoomMetricsRows } from './rows.ts';
import { serializeTotals } from './room-score.ts';
import type { RoomMetrics } from './schema.ts';
import type { RoomCounts } from './scores.ts';

type Stakeholder = RoomMetrics['stakeholders'][number];
type Asset = RoomMetrics['assets'][number];

/**
 * Builds the metrics object of a room at the time `now`. A room may have more people, recordings or documents than one turn of
 * the event loop should handle, so each turn handles one chunk of rows.
 */
export async function buildRoomMetrics(rows: RoomMetricsRows, now: Date): Promise<RoomMetrics> {
  const { totals, plan } = rows;
  const stakeholders = await collect(rows.people, (row) => serializeStakeholder(row, now));
  const trailers = await collect(rows.trailers, (row) => row);
  const assets = await serializeAssets(rows);
  const counts: RoomCounts = {
    ...totals,
    engagedPeople: count(stakeholders, ({ status }) => status === 'engaged'),
    silentPeople: count(stakeholders, ({ status }) => status === 'silent'),
    bestCompletionPercent: trailers.reduce(
      (best, trailer) => Math.max(best, trailer.bestCompletionPercent),
      0,
    ),
    docsOpened: count(assets, ({ opens }) => opens > 0),
  };
  return {
    room: JSON.parse(roomText(rows.room)) as Room,
    engagementScore: engagementScore(counts, now),
    totals: serializeTotals(counts),
    stakeholders,
    trailers,
    assets,
    actionPlan: {
      total: plan.total,
      done: plan.done,
      doneByProspect: plan.doneByProspect,
      overdue: plan.overdue,
      lastCompletedAt: dateTimeOrNull(plan.lastCompletedAt),
    },
    conversation: {
      prospectMessages: totals.prospectMessages,
      sellerMessages: totals.sellerMessages,
      lastMessageAt: dateTimeOrNull(totals.lastMessageAt),
    },
    esign: serializeEsign(rows),
  };
}

/** Converts rows one chunk at a time. Other work of the process can run in between. */
async function collect<Row, Item>(chunks: Chunks<Row>, convert: (row: Row) => Item): Promise<Item[]> {
  const items: Item[] = [];
  for (const [index, read] of chunks.entries()) {
    if (index > 0) await nextTurn();
    for (const row of read()) items.push(convert(row));
  }
  return items;
}

function serializeStakeholder(row: PersonRow, now: Date): Stakeholder {
  return {
    personId: row.personId,
    email: row.email,
    name: row.name,
    role: row.role,
    title: row.title,
    inCommittee: row.inCommittee,
    status: stakeholderStatus(row.lastActivityAt, now),
    trailerViews: row.trailerViews,
    trailerCompletes: row.trailerCompletes,
    watchSeconds: row.watchSeconds,
    bestCompletionPercent: row.bestCompletionPercent,
    roomVisits: row.roomVisits,
    docOpens: row.docOpens,
    docsOpened: row.docsOpened,
    mapCheckoffs: row.mapCheckoffs,
    comments: row.comments,
    messages: row.messages,
    forwards: row.forwards,
    lastActivityAt: momentOrNull(row.lastActivityAt),
  };
}

function stakeholderStatus(lastActivityAt: number | null, now: Date): Stakeholder['status'] {
  if (lastActivityAt === null) return 'silent';
  return now.getTime() - lastActivityAt <= ENGAGED_WITHIN_MS ? 'engaged' : 'dormant';
}

async function serializeAssets({ documents, readings }: RoomMetricsRows): Promise<Asset[]> {
  const assets = await collect(documents, (document): Asset => ({
    id: document.id,
    title: document.title,
    category: document.category,
    uploadedByProspect: document.uploadedByProspect,
    libraryAssetId: document.libraryAssetId,
    opens: document.opens,
    uniqueViewers: 0,
    totalSeconds: 0,
    lastViewedAt: null,
    viewers: [],
  }));
  const byId = new Map(assets.map((asset) => [asset.id, { asset, people: new Set<string>() }]));
  await collect(readings, (reading) => {
    const viewed = byId.get(reading.docId);
    if (viewed === undefined) return;
    viewed.people.add(reading.identity);
    viewed.asset.uniqueViewers = viewed.people.size;
    addViewer(viewed.asset, reading);
  });
  return assets;
}

function addViewer(
  asset: Asset,
  { distributionId, email, name, seconds, sessions, lastViewedAt }: ReadingRow,
) {
  const viewedAt = new Date(lastViewedAt).toISOString();
  asset.totalSeconds += seconds;
  // ISO texts of equal length in UTC sort in time order.
  if (asset.lastViewedAt === null || viewedAt > asset.lastViewedAt) asset.lastViewedAt = viewedAt;
  asset.viewers.push({ distributionId, email, name, seconds, sessions, lastViewedAt: viewedAt });
}

function serializeEsign({ esigns }: RoomMetricsRows): RoomMetrics['esign'] {
  const eventTime = (at: Date | null) => at?.getTime() ?? Number.NEGATIVE_INFINITY;
  const newest = esigns.toSorted((a, b) => eventTime(b.lastEventAt) - eventTime(a.lastEventAt))[0];
  return { status: newest?.status ?? null, documents: esigns.map(serializeEsignDocument) };
}

function momentOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

function count<Item>(items: Item[], matches: (item: Item) => boolean): number {
  return items.reduce((total, item) => (matches(item) ? total + 1 : total), 0);
}

import type { Database } from '@deal-signals/db/database';
import type { ReadWorkspace } from '../data/workspace.ts';
import { PAGE_ROWS } from '../floors/json-statements.ts';

/** A path of the API that is measured, with what to ask for. */
export interface ReadPath {
  /** The option of `--only` that runs it. */
  group: 'pages' | 'one' | 'metrics';
  name: string;
  /** Paths with queries, asked for in turn. */
  requests: string[];
  /** The ratio to the floor that must be reached. */
  target: number;
  /** Whether the product's response has the right shape and number of rows. */
  isRight(body: unknown): boolean;
  /** Whether the naive build takes part. */
  isNaive?: boolean;
  /** The floor returns something else, because it stands for less than the whole response. */
  hasOtherObjects?: boolean;
  notes?: string[];
}

/** Positions that deep pages begin at. */
const DEEP_PAGES = 10;
/** Objects that are asked for one by one. */
const OBJECTS = 50;

/** A feed and how the position in it is found and written. */
interface Feed {
  name: string;
  resource: string;
  table: string;
  /** The columns of the sort key, in order. */
  key: string;
  cursorOf: (row: { id: string; at: number | null }) => string;
  isNaive: boolean;
  target: number;
}

const timeCursor =
  (name: string) =>
  ({ id, at }: { id: string; at: number | null }): string =>
    Buffer.from(JSON.stringify({ feed: name, at, id })).toString('base64url');

const FEEDS: Feed[] = [
  feed('events', 'engagement/events', 'engagement_events', null),
  feed('views', 'engagement/views', 'engagement_views', null),
  feed('rooms', 'decision-rooms', 'rooms', 'last_activity_at'),
  { ...feed('calls with summaries', 'calls', 'calls', 'updated_at'), isNaive: false },
];

function feed(name: string, resource: string, table: string, time: string | null): Feed {
  return {
    name,
    resource,
    table,
    key: time === null ? 'id' : `${time}, id`,
    cursorOf: time === null ? ({ id }) => id : timeCursor(resource),
    isNaive: true,
    target: 1,
  };
}

/** Chooses what to ask for from the stored rows, for the groups that were asked for. */
export async function readPaths(
  db: Database,
  workspace: ReadWorkspace,
  groups: ReadonlySet<string>,
): Promise<ReadPath[]> {
  const paths: ReadPath[] = [];
  if (groups.has('pages')) for (const one of FEEDS) paths.push(...(await pagesOf(db, workspace, one)));
  if (groups.has('one')) paths.push(...(await singleObjects(db, workspace)));
  if (groups.has('metrics')) paths.push(metricsOf(workspace));
  return paths;
}

async function pagesOf(db: Database, { companyId }: ReadWorkspace, feedOf: Feed): Promise<ReadPath[]> {
  const { name, resource, table, key, cursorOf, isNaive, target } = feedOf;
  const time = key === 'id' ? 'NULL::float8' : `round(date_part('epoch', ${key.split(',')[0]}) * 1000)`;
  // The last rows that a full page and one more row still follow.
  const positions = await db.$queryRawUnsafe<{ id: string; at: number | null }[]>(
    `SELECT id::text, at FROM (
       SELECT id, ${time} AS at, row_number() OVER (ORDER BY ${key}) AS n, count(*) OVER () AS total
       FROM ${table} WHERE company_id = ${companyId}) AS placed
     WHERE n > total / 2 AND n < total - ${PAGE_ROWS + 1}
     ORDER BY n DESC LIMIT ${DEEP_PAGES}`,
  );
  if (positions.length === 0) throw new Error(`${name}: too few rows for a deep page`);
  const common = { group: 'pages' as const, target, isRight: isFullPage, isNaive };
  return [
    {
      ...common,
      name: `page of ${PAGE_ROWS} ${name}, first`,
      requests: [`/api/v1/${resource}?limit=${PAGE_ROWS}`],
    },
    {
      ...common,
      name: `page of ${PAGE_ROWS} ${name}, deep`,
      requests: positions.map((row) => `/api/v1/${resource}?limit=${PAGE_ROWS}&cursor=${cursorOf(row)}`),
    },
  ];
}

function isFullPage(body: unknown): boolean {
  const { data, nextCursor, hasMore } = body as { data?: unknown[]; nextCursor?: string; hasMore?: boolean };
  return data?.length === PAGE_ROWS && typeof nextCursor === 'string' && hasMore === true;
}

async function singleObjects(db: Database, { companyId }: ReadWorkspace): Promise<ReadPath[]> {
  const query = {
    where: { companyId },
    select: { id: true },
    orderBy: { id: 'asc' },
    take: OBJECTS,
  } as const;
  const calls = await db.call.findMany(query);
  const rooms = await db.room.findMany(query);
  const isObject = (body: unknown): boolean =>
    typeof (body as { data?: { id?: string } }).data?.id === 'string';
  const common = { group: 'one' as const, target: 0.5 };
  return [
    {
      ...common,
      name: 'one call',
      requests: calls.map(({ id }) => `/api/v1/calls/${id}`),
      isRight: isObject,
    },
    {
      ...common,
      name: 'one room',
      requests: rooms.map(({ id }) => `/api/v1/decision-rooms/${id}`),
      isRight: isObject,
    },
    {
      ...common,
      name: '/status',
      requests: ['/api/v1/status'],
      isRight: (body) => (body as { company?: { id?: number } }).company?.id === companyId,
    },
  ];
}

function metricsOf({ busyRoomId, roomEvents }: ReadWorkspace): ReadPath {
  return {
    group: 'metrics',
    name: `room metrics, 50 people, ${roomEvents.toLocaleString('en')} events`,
    requests: [`/api/v1/decision-rooms/${busyRoomId}/metrics`],
    target: 0.8,
    isRight(body) {
      const { data } = body as { data?: { stakeholders?: unknown[]; totals?: { events?: number } } };
      return data?.stakeholders?.length === 50 && data.totals?.events === roomEvents;
    },
    hasOtherObjects: true,
    notes: ['The floor sends the statements of the metrics, and returns only how many rows each gave.'],
  };
}

import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import type { Statement } from '../data/statements.ts';
import type { ReadWorkspace } from '../data/read-workspace.ts';
import type { FloorResponse } from './http-floor.ts';
import { OBJECTS, PAGE_ROWS, PAGES, STATUS } from './json-statements.ts';

/** A measured path of the API, with its requests. */
export interface ReadPath {
  /** The option of `--only` that runs it. */
  group: 'pages' | 'one' | 'metrics';
  name: string;
  /** Requests that are sent in turn, and the statements of the floor for each. */
  requests: FloorResponse[];
  /** The minimum ratio to the floor. */
  target: number;
  /** Whether the product's response has the right shape and number of rows. */
  isRight(body: Body): boolean;
  /** Set if the floor returns other objects than the product, because it does only part of the work. */
  hasOtherObjects?: boolean;
}

type Item = Record<'id' | 'lastActivityAt' | 'updatedAt', string>;

interface Body {
  data?: Item[] & { id?: string; stakeholders?: unknown[]; totals?: { events?: number } };
  nextCursor?: string;
  hasMore?: boolean;
  company?: { id?: number };
}

/** The number of positions that deep pages begin at. */
const DEEP_PAGES = 10;
/** The number of objects that are requested one by one. */
const SINGLE_OBJECTS = 50;
const FEEDS = [
  { name: 'events', resource: 'engagement/events', text: PAGES.events, time: null },
  { name: 'views', resource: 'engagement/views', text: PAGES.views, time: null },
  { name: 'rooms', resource: 'decision-rooms', text: PAGES.rooms, time: 'lastActivityAt' },
  { name: 'calls with summaries', resource: 'calls', text: PAGES.calls, time: 'updatedAt' },
] as const;
/** The sort keys before the first object: an id, or a time and an id. */
const BEFORE_ALL = { id: ['0'], time: ['-infinity', '00000000-0000-0000-0000-000000000000'] };

/**
 * Builds the requests of the chosen groups.
 *
 * @param read requests a path from the product.
 * @param metrics the statements that the product sends for the metrics of the busy room.
 */
export async function readPaths(
  workspace: ReadWorkspace,
  groups: ReadonlySet<string>,
  read: (path: string) => Promise<unknown>,
  metrics: Statement[],
): Promise<ReadPath[]> {
  const get = read as (path: string) => Promise<Body>;
  const paths: ReadPath[] = [];
  if (groups.has('pages')) for (const feed of FEEDS) paths.push(...(await pagesOf(feed, get)));
  if (groups.has('one')) paths.push(...(await singleObjects(workspace, get)));
  if (groups.has('metrics')) paths.push(metricsOf(workspace, metrics));
  return paths;
}

/** Follows a feed from its first page to its last. Returns the first page, and the last full pages. */
async function pagesOf(
  { name, resource, text, time }: (typeof FEEDS)[number],
  read: (path: string) => Promise<Body>,
): Promise<ReadPath[]> {
  const pages: FloorResponse[] = [];
  for (let cursor = '', key = BEFORE_ALL[time === null ? 'id' : 'time']; ;) {
    const path = `/api/v1/${resource}?limit=${PAGE_ROWS}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { data = [], nextCursor = '', hasMore } = await read(path);
    if (hasMore !== true) break;
    const after = `,"nextCursor":${JSON.stringify(nextCursor)},"hasMore":true}`;
    pages.push({ path, statements: [{ text, values: [COMPANY, ...key] }], around: ['{"data":', after] });
    cursor = nextCursor;
    const last = data.at(-1)!;
    key = time === null ? [last.id] : [last[time], last.id];
  }
  if (pages.length < 2) throw new Error(`${name}: too few rows for a deep page`);
  const common = {
    group: 'pages' as const,
    target: 1,
    isRight: ({ data }: Body) => data?.length === PAGE_ROWS,
  };
  return [
    { ...common, name: `page of ${PAGE_ROWS} ${name}, first`, requests: [pages[0]!] },
    { ...common, name: `page of ${PAGE_ROWS} ${name}, deep`, requests: pages.slice(1).slice(-DEEP_PAGES) },
  ];
}

async function singleObjects(
  { keyId, rateLimit }: ReadWorkspace,
  read: (path: string) => Promise<Body>,
): Promise<ReadPath[]> {
  const objects = async (name: string, resource: string, text: string): Promise<ReadPath> => {
    const { data = [] } = await read(`/api/v1/${resource}?limit=${SINGLE_OBJECTS}`);
    return {
      group: 'one',
      name,
      requests: data.map(({ id }) => ({
        path: `/api/v1/${resource}/${id}`,
        statements: [{ text, values: [COMPANY, id] }],
        around: ['{"data":', '}'],
      })),
      target: 0.5,
      isRight: (body) => typeof body.data?.id === 'string',
    };
  };
  const status = { text: STATUS, values: [COMPANY, keyId, rateLimit] };
  return [
    await objects('one call', 'calls', OBJECTS.call),
    await objects('one room', 'decision-rooms', OBJECTS.room),
    {
      group: 'one',
      name: '/status',
      requests: [{ path: '/api/v1/status', statements: [status], around: ['', ''] }],
      target: 0.5,
      isRight: ({ company }) => company?.id === COMPANY,
    },
  ];
}

function metricsOf({ busyRoomId, roomEvents }: ReadWorkspace, statements: Statement[]): ReadPath {
  return {
    group: 'metrics',
    name: `room metrics, 50 people, ${roomEvents.toLocaleString('en')} events`,
    requests: [{ path: `/api/v1/decision-rooms/${busyRoomId}/metrics`, statements }],
    target: 0.8,
    isRight: ({ data }) => data?.stakeholders?.length === 50 && data.totals?.events === roomEvents,
    hasOtherObjects: true,
  };
}

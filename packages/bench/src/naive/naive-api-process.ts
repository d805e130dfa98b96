import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PrismaClient } from '@deal-signals/db/generated/client';
import { serializeEngagementEvent } from '@deal-signals/serializers/engagement/event';
import { type EngagementViewRow, serializeEngagementView } from '@deal-signals/serializers/engagement/view';
import { serializeRoom } from '@deal-signals/serializers/rooms/room';
import { PrismaPg } from '@prisma/adapter-pg';
import express, { type Request, type Response } from 'express';
import { optionsOfParent, serveParent } from '../stack/child.ts';

// What one would write first: Express, `findMany`, and `response.json`. It returns the same objects as the API, checks the key,
// and has no limits and no log.

/** What the naive API needs to know. */
export interface NaiveApiOptions {
  databaseUrl: string;
  poolSize: number;
}

const options = optionsOfParent() as NaiveApiOptions;
const prisma = new PrismaClient({
  adapter: new PrismaPg({
    connectionString: options.databaseUrl,
    max: options.poolSize,
    options: '-c timezone=UTC',
  }),
});
const app = express();

/** Responds on a path with what an asynchronous function sends. An error ends this process, and so the run. */
function get(path: string, send: (request: Request, response: Response) => Promise<void>): void {
  app.get(path, (request: Request, response: Response) => {
    void send(request, response);
  });
}

async function companyOf(request: Request): Promise<number> {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const keyHash = createHash('sha256').update(token).digest();
  const key = await prisma.apiKey.findUniqueOrThrow({ where: { keyHash }, include: { company: true } });
  return key.company.id;
}

/** Sends a page: `rows` holds one row more than the page if there are more. */
function sendPage<Row>(
  response: Response,
  rows: Row[],
  limit: number,
  serialize: (row: Row) => object,
  cursorOf: (row: Row) => string,
): void {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  response.json({
    data: shown.map(serialize),
    nextCursor: last === undefined ? '' : cursorOf(last),
    hasMore: rows.length > limit,
  });
}

function pageOf(request: Request): { cursor: string; limit: number } {
  const { cursor = '', limit = '100' } = request.query as Record<string, string | undefined>;
  return { cursor, limit: Number(limit) };
}

get('/api/v1/engagement/events', async (request, response) => {
  const companyId = await companyOf(request);
  const { cursor, limit } = pageOf(request);
  const rows = await prisma.engagementEvent.findMany({
    where: { companyId, id: { gt: BigInt(cursor || 0) } },
    orderBy: { id: 'asc' },
    take: limit + 1,
  });
  sendPage(response, rows, limit, serializeEngagementEvent, ({ id }) => String(id));
});

get('/api/v1/engagement/views', async (request, response) => {
  const companyId = await companyOf(request);
  const { cursor, limit } = pageOf(request);
  const rows = await prisma.engagementView.findMany({
    where: { companyId, id: { gt: BigInt(cursor || 0) } },
    orderBy: { id: 'asc' },
    take: limit + 1,
  });
  const serialize = (row: (typeof rows)[number]) =>
    serializeEngagementView({ ...row, segments: row.segments as unknown as EngagementViewRow['segments'] });
  sendPage(response, rows, limit, serialize, ({ id }) => String(id));
});

get('/api/v1/decision-rooms', async (request, response) => {
  const companyId = await companyOf(request);
  const { cursor, limit } = pageOf(request);
  const after = cursor
    ? (JSON.parse(Buffer.from(cursor, 'base64url').toString()) as { at: number; id: string })
    : { at: 0, id: '00000000-0000-0000-0000-000000000000' };
  const at = new Date(after.at);
  const rows = await prisma.room.findMany({
    where: { companyId, OR: [{ lastActivityAt: { gt: at } }, { lastActivityAt: at, id: { gt: after.id } }] },
    orderBy: [{ lastActivityAt: 'asc' }, { id: 'asc' }],
    take: limit + 1,
    include: { owner: true },
  });
  sendPage(
    response,
    rows,
    limit,
    (row) =>
      serializeRoom({ ...row, ownerName: row.owner?.name ?? null, ownerEmail: row.owner?.email ?? null }),
    ({ lastActivityAt, id }) =>
      Buffer.from(JSON.stringify({ feed: 'decision-rooms', at: lastActivityAt.getTime(), id })).toString(
        'base64url',
      ),
  );
});

const server = createServer(app);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
serveParent(() => ({ port }));

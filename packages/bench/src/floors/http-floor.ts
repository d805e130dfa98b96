import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { API_VERSION } from '@deal-signals/outbox/event-types';
import express from 'express';
import { Pool } from 'pg';
import { optionsOfParent, serveParent } from '../stack/child.ts';
import { JSON_STATEMENTS } from './json-statements.ts';
import { type RecordedStatement, replay } from './recorded-statements.ts';

// The floor of the reads, a process of its own: node:http, one prepared statement a request, and PostgreSQL builds the JSON.
// It knows one workspace and checks neither keys nor limits. Behind the router of Express, it shows what Express costs.

/** What the floor needs to know. */
export interface HttpFloorOptions {
  databaseUrl: string;
  poolSize: number;
  companyId: number;
  keyId: number;
  rateLimitPerMinute: number;
  /** Single objects and `/status` are routes of Express; nothing else is answered. */
  hasExpress: boolean;
}

/** What the parent asks the floor. */
export interface FloorQuestion {
  /** Statements to send again for each request of a path; the response is the number of rows of each. */
  replay?: { path: string; statements: RecordedStatement[] };
}

/** How far `/status` counts deliveries. */
const MOST_COUNTED = 5_000;
const FIRST_CURSOR = {
  at: Date.parse('0001-01-01T00:00:00.000Z'),
  id: '00000000-0000-0000-0000-000000000000',
};

interface IdPage {
  data: string;
  last: string;
  more: boolean;
}

interface TimePage extends IdPage {
  lastAt: number;
}

/**
 * Starts the floor.
 *
 * @param change alters the bodies of responses: the test of the bench makes a wrong one.
 */
export async function serveFloor(
  change: (path: string, body: string) => string = (_, body) => body,
): Promise<void> {
  const options = optionsOfParent() as HttpFloorOptions;
  const pool = new Pool({
    connectionString: options.databaseUrl,
    max: options.poolSize,
    options: '-c timezone=UTC',
  });

  async function read<Row>(name: keyof typeof JSON_STATEMENTS, values: unknown[]): Promise<Row> {
    const { rows } = await pool.query({ name, text: JSON_STATEMENTS[name], values });
    return rows[0] as Row;
  }

  async function idPage(name: 'events' | 'views', query: URLSearchParams): Promise<string> {
    const page = await read<IdPage>(name, [options.companyId, query.get('cursor') ?? '0']);
    return `{"data":${page.data},"nextCursor":"${page.last}","hasMore":${page.more}}`;
  }

  async function timePage(name: 'rooms' | 'calls', feed: string, query: URLSearchParams): Promise<string> {
    const cursor = query.get('cursor');
    const { at, id } =
      cursor === null
        ? FIRST_CURSOR
        : (JSON.parse(Buffer.from(cursor, 'base64url').toString()) as typeof FIRST_CURSOR);
    const values = [options.companyId, new Date(at).toISOString(), id];
    const page = await read<TimePage>(name, values);
    const next = Buffer.from(JSON.stringify({ feed, at: page.lastAt, id: page.last })).toString('base64url');
    return `{"data":${page.data},"nextCursor":"${next}","hasMore":${page.more}}`;
  }

  const replayed = new Map<string, RecordedStatement[]>();

  async function sendAgain(statements: RecordedStatement[]): Promise<string> {
    const client = await pool.connect();
    try {
      return JSON.stringify({ rows: await replay(client, statements) });
    } finally {
      client.release();
    }
  }

  async function respond(request: IncomingMessage): Promise<string> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://floor');
    const statements = replayed.get(pathname);
    if (statements !== undefined) return sendAgain(statements);
    const [resource = '', id] = pathname.replace('/api/v1/', '').split(/\/(?=[0-9a-f-]{36}$)/);
    if (id !== undefined) {
      const name = resource === 'calls' ? 'call' : 'room';
      return (await read<{ body: string }>(name, [options.companyId, id])).body;
    }
    if (resource === 'engagement/events') return idPage('events', searchParams);
    if (resource === 'engagement/views') return idPage('views', searchParams);
    if (resource === 'decision-rooms') return timePage('rooms', 'decision-rooms', searchParams);
    if (resource === 'calls') return timePage('calls', 'calls', searchParams);
    const { companyId, keyId, rateLimitPerMinute } = options;
    const values = [companyId, keyId, API_VERSION, rateLimitPerMinute, MOST_COUNTED + 1];
    return (await read<{ body: string }>('status', values)).body;
  }

  async function send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const bytes = Buffer.from(change(request.url ?? '/', await respond(request)));
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes.length })
        .end(bytes);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse): void =>
    void send(request, response);
  const routes = ['/api/v1/calls/:id', '/api/v1/decision-rooms/:id', '/api/v1/status'];
  const server = createServer(options.hasExpress ? express().get(routes, onRequest) : onRequest);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  serveParent((question: FloorQuestion) => {
    if (question.replay) replayed.set(question.replay.path, question.replay.statements);
    return { port };
  });
}

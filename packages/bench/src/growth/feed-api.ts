import { Database } from '@deal-signals/db/database';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import type { BenchContext } from '../context.ts';
import { buildLargeFeed } from '../data/large-feed.ts';
import { COMPANY } from '../data/workspace.ts';
import type { ExpectedResponse } from '../loader/loader-process.ts';
import type { BenchApp } from '../stack/bench-stack.ts';

/** An API over a workspace with many events. */
export interface FeedApi {
  db: Database;
  /** How many events there are. */
  events: number;
  api: BenchApp;
  headers: Record<string, string>;
  close(): Promise<void>;
}

const POOL_SIZE = 10;
const RATE_LIMIT = 1_000_000;
/** Filling and checking ten million rows. */
const STATEMENT_TIMEOUT_MS = 1_800_000;

/** Builds the events in a database of their own, and starts an API over it. */
export async function openFeedApi(
  { stack, say }: BenchContext,
  name: string,
  events: number,
): Promise<FeedApi> {
  const databaseUrl = await stack.createDatabase(name);
  const db = new Database({
    url: databaseUrl,
    poolSize: 2,
    applicationName: 'bench',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  await buildLargeFeed(databaseUrl, db, events, say);
  const headers = { authorization: `Bearer ${await addKey(db, COMPANY)}` };
  const api = await stack.startApp('api', databaseUrl, {
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    // A key has half of the places of its workspace.
    WORKSPACE_CONCURRENCY: String(2 * POOL_SIZE),
    RATE_LIMIT_PER_MINUTE: String(RATE_LIMIT),
  });
  return {
    db,
    events,
    api,
    headers,
    async close() {
      await api.stop();
      await db.close();
    },
  };
}

/**
 * Asks for a response once, for the loader to compare all later ones with.
 *
 * @param check throws unless the response is right.
 */
export async function expectResponse(
  { api, headers }: FeedApi,
  path: string,
  check: (body: unknown) => Promise<void> | void,
): Promise<ExpectedResponse> {
  const response = await fetch(`${api.url}${path}`, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} for ${path}: ${text.slice(0, 500)}`);
  await check(JSON.parse(text));
  return { path, body: Buffer.from(text) };
}

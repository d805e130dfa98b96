import { deepStrictEqual } from 'node:assert';
import { Database } from '@deal-signals/db/database';
import { findRoomMetrics } from '@deal-signals/serializers/room-metrics/rows';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import type { Processes } from '../measure/cpu.ts';
import { buildReadWorkspace } from '../data/read-workspace.ts';
import { recordStatements } from '../data/statements.ts';
import { compare, timed } from '../measure/compare.ts';
import type { Row } from '../report.ts';
import type { BenchContext } from '../stack/bench-stack.ts';
import type { serve as serveFloor } from './http-floor.ts';
import type { ExpectedResponse, serve as serveLoads } from './loader.ts';
import { type ReadPath, readPaths } from './read-paths.ts';

/** Connections to PostgreSQL of every contestant. */
const POOL_SIZE = 10;
const RATE_LIMIT = 1_000_000;
/** Settings of an API that serves a single workspace. */
export const API_SETTINGS = {
  DATABASE_POOL_SIZE: String(POOL_SIZE),
  // A key may use half of the slots of its workspace.
  WORKSPACE_CONCURRENCY: String(2 * POOL_SIZE),
  RATE_LIMIT_PER_MINUTE: String(RATE_LIMIT),
};

/** A server that the reads are sent to. */
export interface Server {
  /** `product`, `floor`, `floor in Express`, or `beside` and the folder of another checkout. */
  name: string;
  origin: string;
}

/** Measures pages, single objects, `/status` and room metrics over HTTP. */
export async function measureReads(context: BenchContext): Promise<Row[]> {
  const { stack, options, say } = context;
  const databaseUrl = await stack.createDatabase('reads');
  const db = new Database({
    url: databaseUrl,
    poolSize: 4,
    applicationName: 'bench',
    statementTimeoutMs: 600_000,
  });
  say('reads: capturing the data');
  const workspace = await buildReadWorkspace(db, options, RATE_LIMIT);
  const metrics = await recordStatements(() =>
    findRoomMetrics(db, COMPANY, workspace.busyRoomId, new Date()),
  );
  await db.close();

  const headers = { authorization: `Bearer ${workspace.apiKey}` };
  const servers: (Server & { processes: Processes; stop: () => Promise<unknown> })[] = [];
  for (const folder of [undefined, ...options.beside]) {
    const api = await stack.startApp('api', databaseUrl, API_SETTINGS, folder);
    const name = folder === undefined ? 'product' : `beside ${folder}`;
    servers.push({ name, origin: api.url, processes: { API: api.pid, ...stack.servers }, stop: api.stop });
  }
  const product = servers[0]!.origin;
  const read = async (path: string) => (await fetch(product + path, { headers })).json();
  const paths = await readPaths(workspace, options.groups, read, metrics);
  for (const [name, hasExpress] of [
    ['floor', false],
    ['floor in Express', true],
  ] as const) {
    const floorOptions = { databaseUrl, poolSize: POOL_SIZE, hasExpress };
    const floor = await stack.startChild<typeof serveFloor>('reads/http-floor.ts', floorOptions);
    const { origin } = await floor.call(paths.flatMap(({ requests }) => requests));
    servers.push({ name, origin, processes: { floor: floor.pid, ...stack.servers }, stop: floor.stop });
  }
  const loader = await stack.startChild<typeof serveLoads>('reads/loader.ts', {});
  const { connections, sliceMs } = options;

  const rows: Row[] = [];
  const cold = new Set(servers);
  for (const path of paths) {
    // The cost of Express hardly shows in a response larger than one object.
    const compared = servers.filter(({ name }) => name !== 'floor in Express' || path.group === 'one');
    const expected = await expectedResponses(path, compared, headers);
    const size = (expected.get('product')?.[0]?.body.length ?? 0) / 1_024;
    const load = (server: Server, maxMs: number, maxRequests: number) =>
      loader.call({
        origin: server.origin,
        headers,
        requests: expected.get(server.name)!,
        connections,
        maxMs,
        maxRequests,
      });
    // The first path on a server compiles most of its code.
    for (const server of compared) if (cold.delete(server)) await load(server, Infinity, options.warmUp);
    const comparison = {
      group: path.group,
      path: `${path.name} (${size.toFixed(1)} KB)`,
      unit: 'responses/s',
      rounds: options.rounds,
      contestants: compared.map((server) => ({
        name: server.name,
        run: () => timed({ ...server.processes, loader: loader.pid }, () => load(server, sliceMs, Infinity)),
        ...(server.name !== 'floor' && { to: 'floor' }),
        ...(server.name === 'product' && { targets: [['ratio', '≥', path.target] as const] }),
      })),
    };
    rows.push(...(await compare(context, comparison)));
  }
  await Promise.all([...servers, loader].map((one) => one.stop()));
  return rows;
}

/**
 * Requests each response once from each server, and checks that all return the same objects. From then on, the bytes of
 * every response are compared with these.
 *
 * @param servers the product first.
 * @returns the responses of each server, by its name.
 * @throws Error that shows the first wrong response.
 */
export async function expectedResponses(
  { requests, isRight, hasOtherObjects }: Pick<ReadPath, 'requests' | 'isRight' | 'hasOtherObjects'>,
  servers: readonly Server[],
  headers: Record<string, string>,
): Promise<Map<string, ExpectedResponse[]>> {
  const expected = new Map<string, ExpectedResponse[]>();
  const right = new Map<string, object>();
  for (const { name, origin } of servers) {
    const responses: ExpectedResponse[] = [];
    for (const { path } of requests) {
      const response = await fetch(origin + path, { headers });
      const text = await response.text();
      const wrong = (what: string) => new Error(`${name}: wrong response to ${path}: ${what.slice(0, 500)}`);
      if (response.status !== 200) throw wrong(text);
      const object = JSON.parse(text) as object;
      if (!right.has(path)) {
        if (!isRight(object)) throw wrong(text);
        right.set(path, object);
      }
      // Another checkout returns the whole response, even where the floor does not.
      if (!hasOtherObjects || !name.startsWith('floor'))
        try {
          deepStrictEqual(object, right.get(path));
        } catch (error) {
          throw wrong((error as Error).message);
        }
      responses.push({ path, body: Buffer.from(text) });
    }
    expected.set(name, responses);
  }
  return expected;
}

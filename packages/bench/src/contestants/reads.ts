import { Database } from '@deal-signals/db/database';
import { findRoomMetrics } from '@deal-signals/serializers/room-metrics/rows';
import type { BenchContext } from '../context.ts';
import { buildReadWorkspace, type ReadWorkspace } from '../data/workspace.ts';
import type { FloorQuestion, HttpFloorOptions } from '../floors/http-floor.ts';
import { recordStatements } from '../floors/recorded-statements.ts';
import type { ExpectedResponse, Load, LoadReport } from '../loader/loader-process.ts';
import { cpuPerUnit, type Processes, readCpu } from '../measure/cpu.ts';
import { type Contestant, cpuOf, ratioOf, type Sample, takeTurns, valuesOf } from '../measure/rounds.ts';
import type { NaiveApiOptions } from '../naive/naive-api-process.ts';
import type { Row, Target } from '../report/row.ts';
import type { Child } from '../stack/child.ts';
import { firstDifference } from './first-difference.ts';
import { type ReadPath, readPaths } from './read-paths.ts';

/** Connections to PostgreSQL of every contestant. */
const POOL_SIZE = 10;
const RATE_LIMIT = 1_000_000;
/** Responses of a path before its first round. The first path of a server is warmed up for longer: it compiles most of the code. */
const PATH_WARM_UP = 500;
/** On a slow machine, the warm-up ends after this many turns. */
const MOST_WARM_UP_TURNS = 20;
/** Of every response the API makes, only this field changes by itself: the minute in which the key was last used. */
const VOLATILE_FIELD = 'lastUsedAt';

/** A server that the reads are sent to. */
interface Server {
  /** `product`, `floor`, `floor in Express`, `naive build`, or `beside` and the folder of another checkout. */
  name: string;
  origin: string;
  processes: Processes;
  /** Responses that it has made so far. */
  served: number;
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
  try {
    say('reads: capturing the data');
    const workspace = await buildReadWorkspace(db, options.sizes, say);
    const servers = await startServers(context, databaseUrl, workspace);
    await servers.floor.ask(await metricsStatements(db, workspace));
    const loader = await stack.startChild<Load, LoadReport>(
      new URL('../loader/loader-process.ts', import.meta.url),
      {},
    );
    const rows: Row[] = [];
    for (const path of await readPaths(db, workspace, options.groups)) {
      rows.push(...(await measurePath(context, path, servers.all, loader, workspace.apiKey)));
    }
    await Promise.all([...servers.processes, loader].map((one) => one.stop()));
    return rows;
  } finally {
    await db.close();
  }
}

async function startServers({ stack, options }: BenchContext, databaseUrl: string, workspace: ReadWorkspace) {
  const { companyId, keyId } = workspace;
  const settings = {
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    // A key has half of the places of its workspace.
    WORKSPACE_CONCURRENCY: String(2 * POOL_SIZE),
    RATE_LIMIT_PER_MINUTE: String(RATE_LIMIT),
  };
  const api = await stack.startApp('api', databaseUrl, settings);
  const floorOptions: HttpFloorOptions = {
    databaseUrl,
    poolSize: POOL_SIZE,
    companyId,
    keyId,
    rateLimitPerMinute: RATE_LIMIT,
    hasExpress: false,
  };
  const startFloor = (ofFloor: HttpFloorOptions) =>
    stack.startChild<FloorQuestion, { port: number }>(options.floorProgram, ofFloor);
  const floor = await startFloor(floorOptions);
  const inExpress = await startFloor({ ...floorOptions, hasExpress: true });
  const naiveOptions: NaiveApiOptions = { databaseUrl, poolSize: POOL_SIZE };
  const naive = await stack.startChild<object, { port: number }>(
    new URL('../naive/naive-api-process.ts', import.meta.url),
    naiveOptions,
  );
  const originOf = async (child: Child<object, { port: number }>) =>
    `http://127.0.0.1:${(await child.ask({})).port}`;
  const servers = { PostgreSQL: stack.postgresPid, Redis: stack.redisPid };
  const all: Server[] = [
    { name: 'product', origin: api.url, processes: { API: api.pid, ...servers }, served: 0 },
    { name: 'floor', origin: await originOf(floor), processes: { floor: floor.pid, ...servers }, served: 0 },
    {
      name: 'floor in Express',
      origin: await originOf(inExpress),
      processes: { floor: inExpress.pid, ...servers },
      served: 0,
    },
    {
      name: 'naive build',
      origin: await originOf(naive),
      processes: { naive: naive.pid, ...servers },
      served: 0,
    },
  ];
  const apis = [api];
  for (const folder of options.besideFolders) {
    const beside = await stack.startApp('api', databaseUrl, settings, folder);
    apis.push(beside);
    const processes = { API: beside.pid, ...servers };
    all.push({ name: `beside ${folder}`, origin: beside.url, processes, served: 0 });
  }
  return { floor, all, processes: [...apis, floor, inExpress, naive] };
}

/** The statements of the room metrics, for the floor to send again. */
async function metricsStatements(
  db: Database,
  { companyId, busyRoomId }: ReadWorkspace,
): Promise<FloorQuestion> {
  const statements = await recordStatements(() => findRoomMetrics(db, companyId, busyRoomId, new Date()));
  return { replay: { path: `/api/v1/decision-rooms/${busyRoomId}/metrics`, statements } };
}

/** The naive build has no single objects, and what Express costs hardly shows in anything larger. */
function takesPart(name: Server['name'], { group, isNaive }: ReadPath): boolean {
  if (name === 'naive build') return isNaive === true;
  return name !== 'floor in Express' || group === 'one';
}

async function measurePath(
  { options, say }: BenchContext,
  path: ReadPath,
  servers: readonly Server[],
  loader: Child<Load, LoadReport>,
  apiKey: string,
): Promise<Row[]> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const taking = servers.filter(({ name }) => takesPart(name, path));
  const expected = await expectedResponses(path, taking, headers);
  const contestants: Contestant[] = taking.map((server) => ({
    name: server.name,
    run: () => takeTurn(server),
  }));

  async function load(server: Server): Promise<LoadReport> {
    const { connections, sliceMs: durationMs } = options;
    const requests = expected.get(server) ?? [];
    const report = await loader.ask({ origin: server.origin, headers, requests, connections, durationMs });
    server.served += report.responses;
    return report;
  }

  async function takeTurn(server: Server): Promise<Sample> {
    const processes = { ...server.processes, loader: loader.pid };
    const before = readCpu(processes);
    const { responses, elapsedMs } = await load(server);
    return {
      value: (responses * 1_000) / elapsedMs,
      cpuMs: cpuPerUnit(before, readCpu(processes), responses),
    };
  }

  for (const server of taking) {
    const enough = Math.max(options.warmUp, server.served + Math.min(PATH_WARM_UP, options.warmUp));
    for (let turn = 0; turn < MOST_WARM_UP_TURNS && server.served < enough; turn += 1) await load(server);
  }
  const samples = await takeTurns(contestants, options.rounds, (round) =>
    say(`${path.name}: round ${round} of ${options.rounds}`),
  );
  const size = Math.round((expected.get(taking[0]!)?.[0]?.body.length ?? 0) / 102.4) / 10;
  return taking.map(({ name }): Row => {
    const isProduct = name === 'product';
    const base = name === 'naive build' ? 'product' : 'floor';
    const naive: Target[] = [{ of: 'ratio', atMost: 1 / 3 }];
    return {
      group: path.group,
      path: `${path.name} (${size} KB)`,
      contestant: name,
      unit: 'responses/s',
      value: valuesOf(samples, name),
      cpuMs: cpuOf(samples, name),
      ...(name !== 'floor' && { ratio: { ...ratioOf(samples, name, base), to: base } }),
      targets: isProduct ? [{ of: 'ratio', atLeast: path.target }] : name === 'naive build' ? naive : [],
      notes: isProduct ? (path.notes ?? []) : [],
    };
  });
}

/**
 * Asks each server once for each response and checks that all return the same objects; from then on, the bytes of every
 * response are compared with these.
 *
 * @throws Error that shows the first response that is wrong.
 */
async function expectedResponses(
  path: ReadPath,
  servers: readonly Server[],
  headers: Record<string, string>,
): Promise<Map<Server, ExpectedResponse[]>> {
  const expected = new Map<Server, ExpectedResponse[]>();
  let first: unknown[] = [];
  for (const server of servers) {
    const responses = await Promise.all(
      path.requests.map(async (request) => {
        const response = await fetch(`${server.origin}${request}`, { headers });
        const text = await response.text();
        if (response.status !== 200) throw wrong(server, request, text);
        return { request, text: withoutVolatile(text) };
      }),
    );
    const objects = responses.map(({ text }) => JSON.parse(text) as unknown);
    for (const [n, object] of objects.entries()) {
      const { request = '', text = '' } = responses[n] ?? {};
      if (server.name === 'product' && !path.isRight(object)) throw wrong(server, request, text);
      if (server.name === 'product' || path.hasOtherObjects === true) continue;
      const difference = firstDifference(first[n], object);
      if (difference !== null) throw wrong(server, request, difference);
    }
    if (server.name === 'product') first = objects;
    expected.set(
      server,
      responses.map(({ request, text }) => ({
        path: request,
        body: Buffer.from(text),
        ...(text.includes(`"${VOLATILE_FIELD}"`) && { volatileField: VOLATILE_FIELD }),
      })),
    );
  }
  return expected;
}

function withoutVolatile(text: string): string {
  return text.replace(new RegExp(`"${VOLATILE_FIELD}"( ?: ?)"[^"]*"`), `"${VOLATILE_FIELD}"$1null`);
}

function wrong(server: Server, request: string, text: string): Error {
  return new Error(`${server.name}: wrong response to ${request}: ${text.slice(0, 500)}`);
}

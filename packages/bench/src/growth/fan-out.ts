import { Database } from '@deal-signals/db/database';
import type { BenchContext } from '../context.ts';
import { addBenchEndpoint, addWorkspace } from '../data/delivery-workspaces.ts';
import type { Publication, Published, PublisherOptions } from '../loader/publisher-process.ts';
import { cpuPerUnit, readCpu } from '../measure/cpu.ts';
import type { Contestant } from '../measure/rounds.ts';
import type { Row } from '../report/row.ts';
import { compareSizes } from './compare-sizes.ts';

const NOWHERE = 'https://127.0.0.1:1/';
const ONE = 1;
const MANY = 2;

/** Measures the capture of events for many endpoints next to events for one. Nothing is delivered. */
export async function measureFanOut(context: BenchContext): Promise<Row[]> {
  const { stack, options } = context;
  const { endpoints } = options.growth;
  const databaseUrl = await stack.createDatabase('growth_endpoints');
  const db = new Database({
    url: databaseUrl,
    poolSize: 1,
    applicationName: 'bench',
    statementTimeoutMs: 60_000,
  });
  for (const companyId of [ONE, MANY]) await addWorkspace(db, companyId);
  await addBenchEndpoint(db, ONE, NOWHERE);
  for (let n = 0; n < endpoints; n += 1) await addBenchEndpoint(db, MANY, NOWHERE);
  const publisherOptions: PublisherOptions = { databaseUrl, poolSize: 2 };
  const publisher = await stack.startChild<Publication, Published>(
    new URL('../loader/publisher-process.ts', import.meta.url),
    publisherOptions,
  );
  let publications = 0;

  function contestant(name: string, companyId: number, endpointsOfEvent: number): Contestant {
    const processes = { publisher: publisher.pid, PostgreSQL: stack.postgresPid };
    const stored = async () => [
      await db.webhookEvent.count({ where: { companyId } }),
      await db.webhookDelivery.count({ where: { companyId } }),
    ];
    return {
      name,
      async run() {
        const count = options.singles;
        const [events = 0, deliveries = 0] = await stored();
        const before = readCpu(processes);
        const { startedAtMs, endedAtMs, failures } = await publisher.ask({
          name: `fan-out ${(publications += 1)}`,
          companies: [companyId],
          count,
          pace: { writers: true },
        });
        const cpuMs = cpuPerUnit(before, readCpu(processes), count);
        const now = await stored();
        const expected = [events + count, deliveries + count * endpointsOfEvent];
        if (failures.length > 0 || String(now) !== String(expected)) {
          throw new Error(
            `${name}: stored are ${String(now)} events and deliveries instead of ${String(expected)} ${failures[0] ?? ''}`,
          );
        }
        return { value: (endedAtMs - startedAtMs) / count, cpuMs };
      },
    };
  }

  const rows = await compareSizes(context, {
    group: 'growth-endpoints',
    path: 'capture of one event a transaction',
    unit: 'ms a capture',
    few: contestant('1 endpoint', ONE, 1),
    many: contestant(`${endpoints} endpoints`, MANY, endpoints),
    atMost: 5,
  });
  await publisher.stop();
  await db.close();
  return rows;
}

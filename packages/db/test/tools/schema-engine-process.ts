import { createInterface } from 'node:readline';
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { Client } from 'pg';
import { openSchemaEngine } from '../../draft/schema-engine.ts';

// Replaces the native schema engine of Prisma's command line tool, which is not on npm. It takes the same arguments, implements
// the same JSON-RPC over standard input and output, and runs the WebAssembly build.

type Method = (parameters: unknown) => Promise<unknown>;

const args = process.argv.slice(2);
const { url } = JSON.parse(args[args.indexOf('--datasource') + 1] ?? '{}') as { url: string };
// `cli can-connect-to-database`: the following commands find out themselves.
if (args.includes('cli')) process.exit(0);

const adapters = new PrismaPg(url);
const database: SqlMigrationAwareDriverAdapterFactory = {
  provider: adapters.provider,
  adapterName: adapters.adapterName,
  connectToShadowDb: () => adapters.connectToShadowDb(),
  async connect() {
    const adapter = await adapters.connect();
    // The adapter splits a script at every semicolon, even inside a function body. The native engine sends it whole.
    adapter.executeScript = executeWhole;
    return adapter;
  },
};

async function executeWhole(script: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(script);
  await client.end();
}

const engine = (await openSchemaEngine(database, '')) as unknown as Record<string, Method>;
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line) as { id: number; method: string; params: unknown };
  const respond = (outcome: object) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
  try {
    respond({ result: (await engine[method]!(params)) ?? {} });
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    respond({ error: { code: 4466, message, data: { is_panic: false, message, error_code: code } } });
  }
}
process.exit(0);

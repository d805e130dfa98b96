import { Client } from 'pg';

/** A statement that was sent to PostgreSQL, or will be. */
export interface Statement {
  text: string;
  values: unknown[];
}

/**
 * Records the statements that this process sends through `pg` while `work` runs, including BEGIN and COMMIT. A floor that
 * replays them follows the product when its statements change.
 */
export async function recordStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const recorded: Statement[] = [];
  const prototype = Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function record(this: unknown, ...args: unknown[]) {
    const [first, second] = args as [string | { text?: string; values?: unknown[] }, unknown];
    const { text, values } = typeof first === 'string' ? { text: first, values: second } : first;
    if (text !== undefined) recorded.push({ text, values: Array.isArray(values) ? values : [] });
    return Reflect.apply(query, this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return recorded;
}

const names = new Map<string, string>();

/** Sends statements one after another over one connection, prepared, and returns the rows of each. */
export async function replay(
  client: Pick<Client, 'query'>,
  statements: readonly Statement[],
): Promise<unknown[][][]> {
  const results: unknown[][][] = [];
  for (const { text, values } of statements) {
    const name = names.get(text) ?? `replayed_${names.size}`;
    names.set(text, name);
    results.push((await client.query<unknown[]>({ name, text, values, rowMode: 'array' })).rows);
  }
  return results;
}

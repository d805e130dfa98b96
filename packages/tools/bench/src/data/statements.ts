import { Client } from 'pg';

/** A statement that was, or will be, sent to PostgreSQL. */
export interface Statement {
  text: string;
  values: unknown[];
}

/**
 * Records the statements that this process sends through `pg` while some work runs, BEGIN and COMMIT included. A floor that
 * sends them again stays the floor of the product when the product's statements change.
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

/** Sends statements one after the other over one connection, prepared, and returns the rows of each. */
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

import { Client } from 'pg';

/** A statement that was sent to PostgreSQL. */
export interface RecordedStatement {
  text: string;
  values: unknown[];
}

/**
 * Records the statements that this process sends through `pg` while some work runs, BEGIN and COMMIT included. A floor that
 * sends them again stays the floor of the product when the product's statements change.
 */
export async function recordStatements(work: () => Promise<unknown>): Promise<RecordedStatement[]> {
  const recorded: RecordedStatement[] = [];
  const prototype = Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function record(this: unknown, ...args: unknown[]) {
    const [first, second] = args as [string | { text?: string; values?: unknown[] }, unknown];
    const text = typeof first === 'string' ? first : first.text;
    const values = typeof first === 'string' ? second : first.values;
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

/** Sends statements one after the other over one connection, prepared, and returns how many rows each gave. */
export async function replay(
  client: Pick<Client, 'query'>,
  statements: readonly RecordedStatement[],
): Promise<number[]> {
  const counts: number[] = [];
  for (const { text, values } of statements) {
    const { rows } = await client.query({ name: nameOf(text), text, values, rowMode: 'array' });
    counts.push(rows.length);
  }
  return counts;
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? `replayed_${names.size}`;
  names.set(text, name);
  return name;
}

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import openapiTs, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { Column, ColumnType } from '../src/stores/columns.ts';

/** The parts of a schema that the generators read. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** An operation of the description. */
export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: { name: string; in: string; description?: string; required?: boolean; schema: Schema }[];
  security?: Record<string, unknown>[];
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

/** Facts about an event type that clients need, besides the schema and the example of its body. */
export interface EventFacts {
  /** What the event reports, as the end of a sentence: "an event says that …". */
  meaning: string;
  /** The kind of its object; null if it has none. */
  object: string | null;
  /** The feed of its object; null if it has none. */
  feed: string | null;
  /** The field of `data` that holds the object; null if `data` is the object. */
  objectField: string | null;
  /** The title of a workflow that starts with it; null if none does. */
  trigger: { noun: string; title: string; when: string } | null;
}

/** The OpenAPI description of the API. */
export interface Description {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, unknown>;
  /** Further facts about each event type. They are not part of the published description. */
  events: Record<string, EventFacts>;
  components: { schemas: Record<string, Schema>; [group: string]: unknown };
}

/** The root directory of this checkout. */
export const REPOSITORY = path.join(import.meta.dirname, '../../../..');
/** The first line of every generated file. */
export const GENERATED = 'Generated from the OpenAPI description of the API by `pnpm generate`. Do not edit.';
const HEADER = `// ${GENERATED}\n\n`;
/** Integer ids are strings in JSON, because JSON clients round large numbers. Databases do not. */
const INTEGER_ID = '#/components/schemas/IntegerId';

/** Returns the description of the API in this checkout, with the webhooks and the operations that accept an API key. */
export function readDescription(): Description {
  const folder = mkdtempSync(path.join(tmpdir(), 'deal-signals-description-'));
  try {
    const files = ['openapi', 'capture', 'console', 'events'].map((name) =>
      path.join(folder, `${name}.json`),
    );
    const [file, , , eventsFile] = files as [string, string, string, string];
    const command = path.join(REPOSITORY, 'apps/api/src/openapi/write-document.ts');
    execFileSync(process.execPath, ['--conditions=source', '--import', 'tsx', command, ...files], {
      cwd: REPOSITORY,
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const document = JSON.parse(readFileSync(file, 'utf8')) as Omit<Description, 'events'>;
    const events = JSON.parse(readFileSync(eventsFile, 'utf8')) as Description['events'];
    return onlyForKeys({ ...document, events });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the TypeScript source of the API's types. */
export async function typesSource({ events: _events, ...document } = readDescription()): Promise<string> {
  return HEADER + astToString(await openapiTs(document as unknown as OpenAPI3));
}

/** Returns the schema of each feed's records, by the path of the feed. */
export function feedRecords(description: Description): Record<string, Schema> {
  const records: Record<string, Schema> = {};
  for (const [url, { get }] of Object.entries(description.paths)) {
    const page = get && responseSchema(get);
    const record = page?.properties?.['data']?.items;
    if (record === undefined || page?.properties?.['nextCursor'] === undefined) continue;
    records[url.slice(1)] = record;
  }
  return records;
}

/** A list that is computed at the request. Reading on from a cursor misses the scores that fell. */
export const SCORES = 'room-scores';
/** A feed that logs deliveries. It is not part of a copy of the workspace. */
export const DELIVERY_LOG = 'webhook-deliveries';

/** Returns the query parameter of each feed that sets where a copy begins; null if there is none, or the feed is not copied. */
export function feedStarts(description: Description): Record<string, string | null> {
  const startOf = (feed: string): string | null => {
    if (feed === SCORES || feed === DELIVERY_LOG) return null;
    const parameters = description.paths[`/${feed}`]?.['get']?.parameters ?? [];
    return parameters.find(({ name }) => name === 'since' || name === 'updated_since')?.name ?? null;
  };
  return Object.fromEntries(Object.keys(feedRecords(description)).map((feed) => [feed, startOf(feed)]));
}

/** Returns the schema of an operation's successful response. */
export function responseSchema(operation: Operation): Schema | undefined {
  return operation.responses?.['200']?.content?.['application/json']?.schema;
}

/** Returns the columns of each feed's table. */
export function feedColumns(description: Description): Record<string, Column[]> {
  const columns: Record<string, Column[]> = {};
  for (const [feed, record] of Object.entries(feedRecords(description))) {
    const { properties = {} } = resolve(description, record);
    columns[feed] = Object.entries(properties).map(([field, schema]) => ({
      field,
      name: snakeCase(field),
      type: columnType(description, schema),
    }));
  }
  return columns;
}

/** Returns the source of the columns of each feed's table, and of the parameter that sets where a feed begins. */
export function feedColumnsSource(description = readDescription()): string {
  const columns = feedColumns(description);
  return [
    HEADER + "import type { Feed } from '../feeds/feeds.ts';",
    "import type { Column } from '../stores/columns.ts';\n",
    '/** The columns of each feed, in the order of the published fields. */',
    `export const FEED_COLUMNS: Record<Feed, readonly Column[]> = ${JSON.stringify(columns, null, 2)};\n`,
    '/** The query parameter of each feed that sets where reading begins; null if it has none. */',
    `export const START_PARAMETERS: Record<Feed, string | null> = ${JSON.stringify(feedStarts(description), null, 2)};\n`,
  ].join('\n');
}

/** Removes the management operations, which do not accept API keys, and the schemas that only they use. */
function onlyForKeys(description: Description): Description {
  const paths: Description['paths'] = {};
  for (const [url, operations] of Object.entries(description.paths)) {
    const kept = Object.entries(operations).filter(([, { security = [] }]) =>
      security.some((scheme) => 'apiKeyAuth' in scheme),
    );
    if (kept.length > 0) paths[url] = Object.fromEntries(kept);
  }
  const { schemas: all, ...components } = description.components;
  const schemas: Record<string, Schema> = {};
  const open: unknown[] = [paths, description.webhooks, components];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [, name = ''] of JSON.stringify(next).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = all[name];
      if (schema === undefined || schemas[name] !== undefined) continue;
      schemas[name] = schema;
      open.push(schema);
    }
  }
  const inOrder = Object.fromEntries(Object.entries(all).filter(([name]) => schemas[name] !== undefined));
  return { ...description, paths, components: { ...components, schemas: inOrder } };
}

function columnType(description: Description, schema: Schema): ColumnType {
  const value = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  if (value.$ref === INTEGER_ID) return 'integer';
  const { type: types, format, properties } = resolve(description, value);
  const type = Array.isArray(types) ? types.find((one) => one !== 'null') : types;
  if (properties !== undefined || type === 'object' || type === 'array') return 'json';
  if (type === 'string' && format === 'date-time') return 'timestamp';
  if (type === 'string' && (format === 'date' || format === 'uuid')) return format;
  if (type === 'string') return 'text';
  if (type === 'integer' || type === 'number' || type === 'boolean') return type;
  throw new Error(`unknown column type for ${JSON.stringify(schema)}`);
}

/** Follows the references of a schema. */
export function resolve(description: Description, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  const target = description.components.schemas[name];
  if (target === undefined) throw new Error(`the description has no schema ${name}`);
  return resolve(description, target);
}

/** Converts a name from camel case to snake case. */
export function snakeCase(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

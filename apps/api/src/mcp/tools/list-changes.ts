import { z } from 'zod';
import type { Scope } from '@deal-signals/serializers/management/scopes';
import { allowsScope, insufficientScope } from '../../auth/scopes.ts';
import type { DataOperation } from '../../http/route.ts';
import { listCalls } from '../../routes/feeds/calls.ts';
import { listRooms } from '../../routes/feeds/decision-rooms.ts';
import { listEngagementEvents } from '../../routes/feeds/engagement-events.ts';
import { listEngagementViews } from '../../routes/feeds/engagement-views.ts';
import { readRecords } from '../records.ts';
import { invalidToolCursor, shownRecord, sizeArgument, timeArgument, tool } from '../tool.ts';

const DAY_MS = 24 * 60 * 60_000;
const MAX_CURSOR_CHARACTERS = 2_000;

/** A feed, and its name in the result. */
interface Source {
  list: DataOperation;
  scope: Scope;
  /** The parameter for the start time. */
  since: 'since' | 'updated_since';
  recordCharacters: number;
}

const SOURCES = {
  rooms: { list: listRooms, scope: 'read:rooms', since: 'updated_since', recordCharacters: 2_000 },
  calls: { list: listCalls, scope: 'read:calls', since: 'updated_since', recordCharacters: 5_000 },
  events: { list: listEngagementEvents, scope: 'read:engagement', since: 'since', recordCharacters: 2_000 },
  views: { list: listEngagementViews, scope: 'read:engagement', since: 'since', recordCharacters: 2_000 },
} as const satisfies Record<string, Source>;

type SourceName = keyof typeof SOURCES;
const NAMES = Object.keys(SOURCES) as SourceName[];

/** The position in each feed. */
const position = z.strictObject({
  /** The start of the feeds that have not been read yet. */
  since: timeArgument,
  rooms: z.string().optional(),
  calls: z.string().optional(),
  events: z.string().optional(),
  views: z.string().optional(),
});
type Position = z.output<typeof position>;

/** `list_changes`: everything that is new or has changed. */
export const listChanges = tool({
  name: 'list_changes',
  title: 'List what changed',
  description:
    'Lists what is new or has changed in the whole workspace: rooms and calls that changed, events and views that were recorded. Begin with since (24 hours ago by default), and store nextCursor: a later call with it returns only what has happened since. While hasMore is true, call again with nextCursor for the rest. Call it for a digest, or to keep up with the workspace.',
  scope: null,
  input: z.strictObject({
    cursor: z
      .string()
      .optional()
      .meta({ description: 'The nextCursor of an earlier result of this tool, to continue after it' }),
    since: timeArgument
      .optional()
      .meta({ description: 'The start time if there is no cursor: ISO 8601. Ignored with a cursor' }),
    limit: z
      .int()
      .min(1)
      .max(100)
      .default(25)
      .meta({ description: 'Maximum number of records of each kind. A result of long records ends earlier' }),
    ...sizeArgument,
  }),
  output: z.looseObject({
    data: z.looseObject(Object.fromEntries(NAMES.map((name) => [name, z.array(shownRecord).optional()]))),
    notIncluded: z.array(z.string()),
    nextCursor: z.string(),
    hasMore: z.boolean(),
  }),
  async run({ cursor, since, limit, max_characters }, caller, context) {
    const start = cursor === undefined || cursor === '' ? startAt(since) : readCursor(cursor);
    const allowed = NAMES.filter((name) => allowsScope(caller.key.scopes, SOURCES[name].scope));
    if (allowed.length === 0) {
      const missing = [...new Set(NAMES.map((name) => SOURCES[name].scope))];
      throw insufficientScope(caller.key.scopes, missing, NEEDED_SCOPES);
    }
    const next: Position = { ...start };
    const data: Partial<Record<SourceName, unknown[]>> = {};
    let hasMore = false;
    let left = max_characters;
    for (const [index, name] of allowed.entries()) {
      const { list, since: sinceParameter, recordCharacters } = SOURCES[name];
      // The filter only finds the start. On later pages it would hide events that are recorded long after they occurred.
      const query = start[name] === undefined ? { [sinceParameter]: start.since } : { cursor: start[name] };
      const bounds = { limit, characters: Math.floor(left / (allowed.length - index)), recordCharacters };
      const records = await readRecords(list, query, bounds, caller, context);
      data[name] = records.data;
      // Space that one kind of record does not use is available to the next ones.
      left -= JSON.stringify(records.data).length;
      next[name] = records.nextCursor;
      hasMore ||= records.hasMore;
    }
    const notIncluded = NAMES.filter((name) => !allowed.includes(name)).map(
      (name) => `${name}: the API key needs the scope ${SOURCES[name].scope}`,
    );
    return { data, notIncluded, nextCursor: writeCursor(next), hasMore };
  },
});

const NEEDED_SCOPES = 'the API key needs one of the scopes read:rooms, read:calls and read:engagement';

function startAt(since: string | undefined): Position {
  return { since: since ?? new Date(Date.now() - DAY_MS).toISOString() };
}

function writeCursor(next: Position): string {
  return Buffer.from(JSON.stringify(next)).toString('base64url');
}

function readCursor(text: string): Position {
  if (text.length > MAX_CURSOR_CHARACTERS) throw invalidToolCursor();
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    throw invalidToolCursor();
  }
  const { data } = position.safeParse(content);
  if (data === undefined) throw invalidToolCursor();
  return data;
}

import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { type Feed, type FeedPage, type FeedRecords, tableOf } from '../feeds/feeds.ts';
import {
  type Clearing,
  listClearings,
  clearPage,
  clearRecord,
  ERASED_FEEDS,
  type Erasure,
  missingSince,
} from './erasing.ts';
import { replaceFile } from './replace-file.ts';
import { createSerializer } from './serialize.ts';
import { type FeedStore, movedCursor, otherWorkspace, type PageToSave, StoreConflict } from './store.ts';

/** The valid length of each file. Lines after `bytes` belong to a page that was not stored completely. */
interface State {
  workspace: number | null;
  feeds: Partial<Record<Feed, { cursor: string; bytes: number }>>;
  /** The feeds whose files are about to be replaced by files without the erased data. */
  replacing?: Feed[];
  /**
   * The feeds that may still return records that replace lines from before an erasure. Their files are rewritten again with
   * their next pages.
   */
  stale?: Feed[];
}

const STATE_FILE = 'state.json';
const READ_BYTES = 1_048_576;
const LINE_FEED = 10;
const LOCK_FILE = 'lock';

/**
 * Opens a store in a folder, with one file of newline-delimited JSON for each feed, such as `calls.ndjson`. It needs no
 * database. A record that changes is appended again. If several lines have the same `id`, the last one counts.
 *
 * The cursors are in `state.json`, with the file lengths that belong to them. It is replaced after a page was written to disk,
 * and anything after the recorded length is truncated. So a crash leaves no partial and no duplicate page.
 *
 * A page of erasures rewrites the files without replaced lines and without the erased data.
 *
 * One program of this machine at a time can open a folder. Its pages are stored one after the other, so the handler of a page
 * must not wait for another page of the same store. There are no transactions: the handler of a page runs before its cursor is
 * stored, and again if the program crashes in between.
 *
 * @throws StoreConflict if another program has the folder open, or a file is damaged or shorter than its recorded length.
 *   The length is checked again before each page.
 */
export async function openFileStore(folder: string): Promise<FeedStore> {
  mkdirSync(folder, { recursive: true });
  lock(folder);
  let state: State;
  try {
    state = readState(folder);
    finishReplacing(folder, state);
    truncateToStored(folder, state);
  } catch (error) {
    unlock(folder);
    throw error;
  }
  // Otherwise an erasure could replace a file while the handler of one of its pages runs.
  const serialize = createSerializer();
  /** For each feed that is being read, the erasures that its next page may lack. */
  const missing = new Map<Feed, Erasure[]>();

  /** Records that reading the next page of a feed begins now. */
  function markReadStart(feed: Feed): void {
    if (!ERASED_FEEDS.includes(feed)) return;
    const erasures = missing.get(feed) ?? [];
    const since = missingSince(erasures.at(-1)?.erasedAt ?? null);
    missing.set(
      feed,
      erasures.filter(({ erasedAt }) => since !== null && erasedAt >= since),
    );
  }

  async function save<F extends Feed>(
    { feed, page: read, previousCursor }: PageToSave<F>,
    handle?: (transaction: undefined, page: FeedPage<F>) => void | Promise<void>,
  ): Promise<void> {
    const stored = state.feeds[feed];
    if ((stored?.cursor ?? null) !== previousCursor) throw movedCursor(feed);
    const page = clearPage(feed, read, missing.get(feed) ?? []);
    const lines = page.data.map((record) => `${JSON.stringify(record)}\n`).join('');
    const bytes = writeAt(feedFile(folder, feed), stored?.bytes ?? 0, lines);
    await handle?.(undefined, page);
    const feeds = { ...state.feeds, [feed]: { cursor: page.nextCursor, bytes } };
    const erasures = feed === 'erasures' ? (page.data as FeedRecords['erasures'][]) : null;
    const clearings = (erasures ?? []).flatMap(listClearings);
    const all = (Object.keys(feeds) as Feed[]).filter((name) => name !== 'erasures');
    const { stale = [] } = state;
    const replacing = erasures === null ? stale.filter((name) => name === feed) : all;
    for (const name of replacing) {
      const { cursor, bytes: end } = feeds[name]!;
      feeds[name] = { cursor, bytes: writeErased(folder, name, end, clearings) };
    }
    const left = erasures === null ? stale.filter((name) => name !== feed || page.hasMore) : all;
    const next: State = { workspace: state.workspace, feeds, ...(left.length > 0 && { stale: left }) };
    writeState(folder, replacing.length > 0 ? { ...next, replacing } : next);
    state = next;
    if (replacing.length > 0) finishReplacing(folder, { ...next, replacing });
    for (const list of missing.values()) list.push(...(erasures ?? []));
    markReadStart(feed);
  }

  return {
    claimWorkspace(companyId) {
      if (state.workspace !== null && state.workspace !== companyId) {
        return Promise.reject(otherWorkspace(String(state.workspace), companyId));
      }
      writeState(folder, { ...state, workspace: companyId });
      state.workspace = companyId;
      return Promise.resolve();
    },
    readCursor(feed) {
      markReadStart(feed);
      return Promise.resolve(state.feeds[feed]?.cursor ?? null);
    },
    savePage: (page, handle) => serialize(() => save(page, handle)),
    close() {
      unlock(folder);
      return Promise.resolve();
    },
  };
}

function feedFile(folder: string, feed: Feed): string {
  return path.join(folder, `${tableOf(feed)}.ndjson`);
}

function erasedFile(folder: string, feed: Feed): string {
  return `${feedFile(folder, feed)}.erased`;
}

/**
 * Writes the replacement of a feed's file next to it. Returns its length.
 * @param end the length of the file up to which its lines count.
 */
function writeErased(folder: string, feed: Feed, end: number, clearings: readonly Clearing[]): number {
  const file = feedFile(folder, feed);
  const own = clearings.filter((clearing) => clearing.feed === feed);
  // If a record occurs several times, the last line counts. Reading the file twice keeps only the ids in memory.
  const lastOf = new Map<string, number>();
  for (const { record, number } of linesOf(file, end)) lastOf.set(record['id'] as string, number);
  const descriptor = openSync(erasedFile(folder, feed), 'w');
  let bytes = 0;
  try {
    for (const { record, number } of linesOf(file, end)) {
      if (lastOf.get(record['id'] as string) !== number) continue;
      bytes += writeSync(descriptor, `${JSON.stringify(clearRecord(record, own))}\n`);
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return bytes;
}

/** Reads the lines of a file, a part at a time. It is synchronous, so that no page is written in between. */
function* linesOf(file: string, end: number): Generator<{ record: Record<string, unknown>; number: number }> {
  if (end === 0) return;
  const descriptor = openSync(file, 'r');
  const part = Buffer.alloc(READ_BYTES);
  let rest = Buffer.alloc(0);
  let number = 0;
  try {
    for (let position = 0; position < end;) {
      const read = readSync(descriptor, part, 0, Math.min(part.length, end - position), position);
      if (read === 0) return;
      position += read;
      rest = Buffer.concat([rest, part.subarray(0, read)]);
      let start = 0;
      for (let stop = rest.indexOf(LINE_FEED); stop !== -1; stop = rest.indexOf(LINE_FEED, start)) {
        yield { record: JSON.parse(rest.toString('utf8', start, stop)) as Record<string, unknown>, number };
        number += 1;
        start = stop + 1;
      }
      rest = rest.subarray(start);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Finishes file replacements that a crash has interrupted. The state already has the new lengths. */
function finishReplacing(folder: string, { replacing, ...state }: State): void {
  if (replacing === undefined) return;
  for (const feed of replacing) {
    const erased = erasedFile(folder, feed);
    if (existsSync(erased)) renameSync(erased, feedFile(folder, feed));
  }
  writeState(folder, state);
}

/** Truncates each file to its stored length, which removes what a crash has left behind. */
function truncateToStored(folder: string, { feeds }: State): void {
  for (const [feed, { bytes }] of Object.entries(feeds)) {
    const file = feedFile(folder, feed as Feed);
    rejectShorter(file, bytes);
    if (existsSync(file)) truncateSync(file, bytes);
  }
}

/** Rejects a file that has lost records. The cursor is past them, so the feed would never return them again. */
function rejectShorter(file: string, bytes: number): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= bytes) return;
  throw new StoreConflict(
    `${file} was changed or removed since it was written; delete ${path.dirname(file)} to copy everything again`,
  );
}

/**
 * Writes text at a position of a file, truncates the rest, and syncs it to disk. Returns the new length.
 * @throws StoreConflict if the file ends before the position.
 */
function writeAt(file: string, position: number, text: string): number {
  rejectShorter(file, position);
  const descriptor = openSync(file, existsSync(file) ? 'r+' : 'w');
  try {
    const content = Buffer.from(text);
    ftruncateSync(descriptor, position);
    for (let written = 0; written < content.length;) {
      written += writeSync(descriptor, content, written, content.length - written, position + written);
    }
    fsyncSync(descriptor);
    return position + content.length;
  } finally {
    closeSync(descriptor);
  }
}

function readState(folder: string): State {
  const file = path.join(folder, STATE_FILE);
  if (!existsSync(file)) return { workspace: null, feeds: {} };
  try {
    const state: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isState(state)) return state;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new StoreConflict(`${file} is damaged; delete ${folder} to copy everything again`);
}

function isState(value: unknown): value is State {
  const {
    workspace,
    feeds,
    replacing = [],
    stale = [],
  } = (value ?? {}) as Partial<Record<keyof State, unknown>>;
  if (workspace !== null && !Number.isInteger(workspace)) return false;
  if (typeof feeds !== 'object' || feeds === null || ![replacing, stale].every(Array.isArray)) return false;
  return Object.values(feeds as Record<string, { cursor?: unknown; bytes?: unknown } | null>).every(
    (feed) => typeof feed?.cursor === 'string' && Number.isInteger(feed.bytes),
  );
}

function writeState(folder: string, state: State): void {
  replaceFile(path.join(folder, STATE_FILE), `${JSON.stringify(state, null, 2)}\n`);
}

/** Creates the lock file of a folder. Replaces a lock that a crashed program left behind. */
function lock(folder: string): void {
  const file = path.join(folder, LOCK_FILE);
  for (;;) {
    // Linked only after its content is written, so that no program reads an empty lock file.
    const own = `${file}.${process.pid}`;
    writeFileSync(own, String(process.pid));
    try {
      linkSync(own, file);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(own, { force: true });
    }
    const owner = readSmallFile(file);
    if (isRunning(Number(owner))) {
      throw new StoreConflict(
        `${folder} is in use by the process ${owner}; if that is another program, delete ${file}`,
      );
    }
    removeStale(file, owner);
  }
}

/** Removes the lock of a program that has ended, unless another program has replaced it. */
function removeStale(file: string, owner: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    if (readSmallFile(aside) !== owner) linkSync(aside, file);
  } catch (error) {
    // Another program was faster.
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function unlock(folder: string): void {
  rmSync(path.join(folder, LOCK_FILE), { force: true });
}

/** Returns the content of a small file; empty if it does not exist. */
function readSmallFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/**
 * Whether another process with this id is running. Our own id belongs to an earlier process: in a container, every process may
 * have the same id.
 */
function isRunning(processId: number): boolean {
  if (processId === 0 || processId === process.pid) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

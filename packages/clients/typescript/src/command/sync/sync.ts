import type { DealSignalsClient } from '../../client.ts';
import { DATA_FEEDS, type Feed, type FeedPage, FEEDS, tableOf } from '../../feeds/feeds.ts';
import { followFeed } from '../../feeds/follow-feed.ts';
import { readPage } from '../../feeds/read-page.ts';
import { readStatus } from '../../feeds/read-status.ts';
import type { RetryPolicy } from '../../feeds/repeat.ts';
import { wait } from '../../feeds/waiting.ts';
import type { FeedStore } from '../../stores/store.ts';
import { VIEW_NAMES } from '../../stores/views.ts';
import { EXIT_CODES, parse, type Subcommand, type Surroundings, UsageError } from '../command.ts';
import { feedsIn } from '../feeds-option.ts';
import { FOLLOWING_OPTIONS, followingHelp, followingOf } from '../following.ts';
import { formatRecords, Progress } from './progress.ts';
import { isFolder, openTarget } from './target.ts';

const POLL_SECONDS = 15;
/** Scores decay daily. */
const SCORES_MS = 3_600_000;

const HELP = `usage: deal-signals sync --to TARGET [options]

Copies the feeds of the workspace into tables or files, and keeps the copy up to date. Run it again to continue where it
stopped, even after a crash.

  --to sqlite:FILE    a SQLite file, which is created if it does not exist
  --to postgres://…   a PostgreSQL database; needs the package pg
  --to ndjson:FOLDER  one file of newline-delimited JSON for each feed; the last line with an id is the current version

  --prefix TEXT       prefix of the table names, such as crm_
  --schema NAME       the schema of the tables in PostgreSQL; default: the first one of the search_path
  --views             also create views for analysts: ${VIEW_NAMES.join(', ')}

  --follow            keep polling for changes until Ctrl-C
  --page-size N       records per request, 1 to 500; default 500
  --feeds A,B         only these feeds: ${FEEDS.join(', ')}
                      default: all but webhook-deliveries
${followingHelp(POLL_SECONDS)}

Data that is erased in the workspace is also erased in the copy.

The tables are called ${DATA_FEEDS.map(tableOf).join(', ')}, and
room_scores, which is read in full each time, and with --follow every hour. Their columns are the fields in snake case; nested
values are JSON. If a table already exists, the command fails without writing anything.`;

/** `deal-signals sync` */
export const sync: Subcommand = {
  summary: 'copies the workspace into SQLite, PostgreSQL or files, and keeps the copy up to date',
  help: HELP,
  async run(argv, surroundings) {
    const { values } = parse({
      args: argv,
      options: {
        ...FOLLOWING_OPTIONS,
        to: { type: 'string' },
        schema: { type: 'string' },
        prefix: { type: 'string' },
        views: { type: 'boolean', default: false },
        follow: { type: 'boolean', default: false },
        'page-size': { type: 'string', default: '500' },
        feeds: { type: 'string', default: DATA_FEEDS.join(',') },
      },
    });
    // Erased data is erased in every copy.
    const feeds = [...feedsIn(values.feeds).filter((feed) => feed !== 'erasures'), 'erasures' as const];
    const limit = pageSizeIn(values['page-size']);
    const { client, pollMs, atStart, forEver } = followingOf(values, POLL_SECONDS, surroundings);
    const retryPolicy = values.follow ? forEver : atStart;
    // A file would grow by a line for each room each time.
    const withScores = feeds.includes('decision-rooms') && !isFolder(values.to);
    let scoresDueAt = 0;
    const store = await openTarget(values, withScores ? [...feeds, 'room-scores'] : feeds);
    try {
      const status = await readStatus(client, atStart);
      if (status !== null) await store.claimWorkspace(status.company.id);
      for (;;) {
        for (const feed of feeds) {
          await copy(feed, { client, store, limit, ...retryPolicy }, surroundings, values.follow);
        }
        if (withScores && Date.now() >= scoresDueAt) {
          await refreshScores(client, store, { ...retryPolicy, limit });
          scoresDueAt = Date.now() + SCORES_MS;
        }
        if (!values.follow || surroundings.signal.aborted) break;
        await wait(pollMs, surroundings.signal);
      }
    } finally {
      await store.close();
    }
    if (!surroundings.signal.aborted || values.follow) return EXIT_CODES.done;
    surroundings.report('Interrupted. Run the same command again to continue.');
    return EXIT_CODES.interrupted;
  },
};

/**
 * Reads the scores of all rooms. Every read starts from the beginning, but the store's cursor still advances, so that two
 * programs notice each other.
 */
async function refreshScores(
  client: DealSignalsClient,
  store: FeedStore<unknown>,
  retryPolicy: RetryPolicy & { limit: number },
): Promise<void> {
  const feed = 'room-scores';
  let previousCursor = await store.readCursor(feed);
  let cursor: string | null = null;
  for (;;) {
    const page: FeedPage | null = await readPage(client, feed, { ...retryPolicy, cursor });
    if (page === null) return;
    await store.savePage({ feed, page, previousCursor });
    if (!page.hasMore) return;
    previousCursor = cursor = page.nextCursor;
  }
}

/** Copies the records of a feed that the store does not have yet. */
async function copy(
  feed: Feed,
  from: RetryPolicy & { client: DealSignalsClient; store: FeedStore<unknown>; limit: number },
  surroundings: Surroundings,
  follows: boolean,
): Promise<void> {
  const progress = new Progress(feed);
  await followFeed(feed, {
    ...from,
    stopAtEnd: true,
    onPage(page) {
      progress.add(page);
      surroundings.showProgress?.(progress.line());
    },
  });
  if (surroundings.signal.aborted && progress.records === 0) return;
  if (!follows || progress.records > 0) surroundings.print(`${feed}: ${formatRecords(progress.records)}`);
}

function pageSizeIn(text: string): number {
  const size = Number(text);
  if (!Number.isInteger(size) || size < 1 || size > 500) {
    throw new UsageError('--page-size must be a whole number from 1 to 500');
  }
  return size;
}

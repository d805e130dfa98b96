import type { DealSignalsClient } from '../../client.ts';
import { DATA_FEEDS, type Feed, type FeedPage, FEEDS, tableOf } from '../../feeds/feeds.ts';
import { followFeed } from '../../feeds/follow-feed.ts';
import { readPage } from '../../feeds/read-page.ts';
import { readStatus } from '../../feeds/read-status.ts';
import type { Patience } from '../../feeds/repeat.ts';
import { wait } from '../../feeds/waiting.ts';
import type { FeedStore } from '../../stores/store.ts';
import { VIEW_NAMES } from '../../stores/views.ts';
import { EXIT_CODES, parse, type Subcommand, type Surroundings, UsageError } from '../command.ts';
import { parseFeeds } from '../feeds-option.ts';
import { FOLLOWING_OPTIONS, followingHelp, parseFollowingOptions } from '../following.ts';
import { formatRecords, Progress } from './progress.ts';
import { isFolder, openTarget } from './target.ts';

const POLL_SECONDS = 15;
/** How often scores are refreshed. They fall daily. */
const SCORES_MS = 3_600_000;

const HELP = `usage: deal-signals sync --to TARGET [options]

Copies the feeds of the workspace into tables or files, and keeps the copy up to date. Run it again to continue where it
stopped, also after a crash.

  --to sqlite:FILE    a SQLite file, which is created if it does not exist
  --to postgres://…   a PostgreSQL database; needs the package pg
  --to ndjson:FOLDER  one file of newline-delimited JSON for each feed; the last line of each id counts

  --prefix TEXT       prefix of the table names, such as crm_
  --schema NAME       schema of the tables in PostgreSQL; default: the first schema of the search_path
  --views             also create views for analysts: ${VIEW_NAMES.join(', ')}

  --follow            keep polling for changes until Ctrl-C
  --page-size N       records per request, 1 to 500; default 500
  --feeds A,B         only these feeds: ${FEEDS.join(', ')}
                      default: all but webhook-deliveries
${followingHelp(POLL_SECONDS)}

Erasures in the workspace also apply to the copy.

The tables are called ${DATA_FEEDS.map(tableOf).join(', ')}, and
room_scores, which is read completely each time, and every hour with --follow. Their columns are the fields in snake case;
nested values are JSON. If a table already exists and sync did not create it, the command stops and writes nothing.`;

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
    // Erasures apply to every copy, so this feed is always followed.
    const feeds = [...parseFeeds(values.feeds).filter((feed) => feed !== 'erasures'), 'erasures' as const];
    const limit = parsePageSize(values['page-size']);
    const { client, pollMs, atStart, forEver } = parseFollowingOptions(values, POLL_SECONDS, surroundings);
    const patience = values.follow ? forEver : atStart;
    // A file would grow by a line for each room at each refresh.
    const withScores = feeds.includes('decision-rooms') && !isFolder(values.to);
    let scoresDueAt = 0;
    const store = await openTarget(values, withScores ? [...feeds, 'room-scores'] : feeds);
    try {
      const status = await readStatus(client, atStart);
      if (status !== null) await store.claimWorkspace(status.company.id);
      for (;;) {
        for (const feed of feeds) {
          await copy(feed, { client, store, limit, ...patience }, surroundings, values.follow);
        }
        if (withScores && Date.now() >= scoresDueAt) {
          await refreshScores(client, store, { ...patience, limit });
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
 * Reads the scores of all rooms. Always begins at the first page; the stored cursor only serves to detect a second program.
 */
async function refreshScores(
  client: DealSignalsClient,
  store: FeedStore<unknown>,
  patience: Patience & { limit: number },
): Promise<void> {
  const feed = 'room-scores';
  let previousCursor = await store.readCursor(feed);
  let cursor: string | null = null;
  for (;;) {
    const page: FeedPage | null = await readPage(client, feed, { ...patience, cursor });
    if (page === null) return;
    await store.savePage({ feed, page, previousCursor });
    if (!page.hasMore) return;
    previousCursor = cursor = page.nextCursor;
  }
}

/** Copies the records of a feed that are not yet in the store. */
async function copy(
  feed: Feed,
  from: Patience & { client: DealSignalsClient; store: FeedStore<unknown>; limit: number },
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

function parsePageSize(text: string): number {
  const size = Number(text);
  if (!Number.isInteger(size) || size < 1 || size > 500) {
    throw new UsageError('--page-size must be a whole number from 1 to 500');
  }
  return size;
}

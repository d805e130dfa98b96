import { DATA_FEEDS, type FollowedFeed } from '../../feeds/feeds.ts';
import { followFeed } from '../../feeds/follow-feed.ts';
import { skipToNow } from '../../feeds/skip-to-now.ts';
import { createMemoryStore } from '../../stores/memory-store.ts';
import { EXIT_CODES, parse, type Subcommand } from '../command.ts';
import { parseFeeds } from '../feeds-option.ts';
import { FOLLOWING_OPTIONS, followingHelp, parseFollowingOptions } from '../following.ts';
import { jsonForTerminal } from '../escape-for-terminal.ts';
import { describeRecord } from './describe.ts';

const POLL_SECONDS = 5;

const HELP = `usage: deal-signals tail [options]

Prints new records, one line each, until Ctrl-C.

  --json              prints the records as newline-delimited JSON
  --feeds A,B         only these feeds; default: ${DATA_FEEDS.join(',')}
${followingHelp(POLL_SECONDS)}`;

/** `deal-signals tail` */
export const tail: Subcommand = {
  summary: 'prints new records as they arrive',
  help: HELP,
  async run(argv, surroundings) {
    const { values } = parse({
      args: argv,
      options: {
        ...FOLLOWING_OPTIONS,
        json: { type: 'boolean', default: false },
        feeds: { type: 'string', default: DATA_FEEDS.join(',') },
      },
    });
    const feeds = parseFeeds(values.feeds);
    const { client, pollMs, atStart, forEver } = parseFollowingOptions(values, POLL_SECONDS, surroundings);

    const store = createMemoryStore();
    await Promise.all(feeds.map((feed) => skipToNow(feed, { client, store, ...atStart })));
    surroundings.report(`Waiting for ${feeds.join(', ')}. Times are UTC. Ctrl-C ends.`);

    async function print(feed: FollowedFeed): Promise<void> {
      await followFeed(feed, {
        client,
        store,
        pollMs,
        ...forEver,
        onPage({ data }) {
          for (const record of data) {
            const time = new Date().toISOString().slice(11, 19);
            surroundings.print(
              values.json ? jsonForTerminal({ feed, record }) : `${time}  ${describeRecord(feed, record)}`,
            );
          }
        },
      });
    }
    await Promise.all(feeds.map(print));
    return EXIT_CODES.done;
  },
};

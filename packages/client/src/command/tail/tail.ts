import { DATA_FEEDS, type Feed } from '../../feeds/feeds.ts';
import { followFeed } from '../../feeds/follow-feed.ts';
import type { FeedStore } from '../../stores/store.ts';
import {
  connect,
  CONNECTION_HELP,
  CONNECTION_OPTIONS,
  EXIT_CODES,
  parse,
  patienceOf,
  secondsIn,
  type Subcommand,
} from '../command.ts';
import { feedsIn } from '../feeds-option.ts';
import { describeRecord } from './describe.ts';
import { skipToNow } from './from-now.ts';

const HELP = `usage: deal-signals tail [options]

Prints what happens from now on, a line for each record, until Ctrl-C.

  --json              prints the records as newline-delimited JSON
  --feeds A,B         only these feeds; default: ${DATA_FEEDS.join(',')}
  --poll-seconds N    pause between polls; default 5
${CONNECTION_HELP}`;

/** `deal-signals tail` */
export const tail: Subcommand = {
  summary: 'prints what happens, as it happens',
  help: HELP,
  async run(argv, surroundings) {
    const { values } = parse({
      args: argv,
      options: {
        ...CONNECTION_OPTIONS,
        json: { type: 'boolean', default: false },
        feeds: { type: 'string', default: DATA_FEEDS.join(',') },
        'poll-seconds': { type: 'string', default: '5' },
      },
    });
    const feeds = feedsIn(values.feeds);
    const pollMs = secondsIn('poll-seconds', values['poll-seconds'], { least: 0.1, most: 86_400 }) * 1_000;
    const client = connect(values, surroundings.env);

    // A wrong key is reported at once; later, the API may be away for as long as it likes.
    const starts = await Promise.all(
      feeds.map(async (feed) => ({
        feed,
        store: await skipToNow(client, feed, patienceOf(surroundings, false)),
      })),
    );
    surroundings.report(`Waiting for ${feeds.join(', ')}. Times are UTC. Ctrl-C ends.`);

    async function print(feed: Feed, store: FeedStore): Promise<void> {
      await followFeed(feed, {
        client,
        store,
        pollMs,
        ...patienceOf(surroundings, true),
        onPage({ data }) {
          for (const record of data) {
            const time = new Date().toISOString().slice(11, 19);
            surroundings.print(
              values.json ? JSON.stringify({ feed, record }) : `${time}  ${describeRecord(feed, record)}`,
            );
          }
        },
      });
    }
    await Promise.all(starts.map(({ feed, store }) => print(feed, store)));
    return EXIT_CODES.done;
  },
};

import { randomBytes } from 'node:crypto';
import type { FeedRecords, FollowedFeed } from '../../feeds/feeds.ts';
import { followFeed } from '../../feeds/follow-feed.ts';
import { readStatus } from '../../feeds/read-status.ts';
import { skipToNow } from '../../feeds/skip-to-now.ts';
import { createMemoryStore } from '../../stores/memory-store.ts';
import { EXIT_CODES, parse, type Subcommand, UsageError } from '../command.ts';
import { FOLLOWING_OPTIONS, followingHelp, parseFollowingOptions } from '../following.ts';
import { escapeForTerminal } from '../escape-for-terminal.ts';
import { describeRecord } from '../tail/describe.ts';
import { Changes, FORWARDED } from './changes.ts';
import { forward } from './forward.ts';
import { envelopeOf } from './signed-delivery.ts';

const POLL_SECONDS = 5;

const HELP = `usage: deal-signals listen --forward-to URL [options]

Posts webhook deliveries to a program on this machine. The machine needs no public address: the command polls the feeds, and
posts new events with the signature of the service. Ctrl-C ends it.

  --forward-to URL    where to post, such as http://localhost:8080/webhooks
  --secret whsec_…    signs the deliveries; default: DEAL_SIGNALS_WEBHOOK_SECRET, or a new one, which is printed
  --events A,B        only these event types
${followingHelp(POLL_SECONDS)}

It sends these events:
${FORWARDED.map((type) => `  ${type}`).join('\n')}

Endpoints are not in any feed, so webhook.endpoint.disabled is not sent.
Several changes of one call, room or contract between two polls count as one delivery. The ids differ from those of the real
deliveries. A failed delivery is repeated after 1 and 5 seconds, then dropped.`;

/** `deal-signals listen` */
export const listen: Subcommand = {
  summary: 'posts signed deliveries to a program on this machine',
  help: HELP,
  async run(argv, surroundings) {
    const { values } = parse({
      args: argv,
      options: {
        ...FOLLOWING_OPTIONS,
        'forward-to': { type: 'string' },
        secret: { type: 'string' },
        events: { type: 'string', default: FORWARDED.join(',') },
      },
    });
    const { signal, print, report } = surroundings;
    const url = receiverUrl(values['forward-to']);
    const types = parseEventTypes(values.events);
    const { client, pollMs, atStart, forEver } = parseFollowingOptions(values, POLL_SECONDS, surroundings);
    const given = values.secret ?? surroundings.env['DEAL_SIGNALS_WEBHOOK_SECRET'];
    const secret = given || `whsec_${randomBytes(32).toString('base64')}`;

    const status = await readStatus(client, atStart);
    if (status === null) return EXIT_CODES.done;
    const { apiVersion, company } = status;
    let deliveries = 0;
    let lastDelivery: Promise<void> = Promise.resolve();

    /** Posts an event after all events that were posted before it. */
    function post<F extends FollowedFeed>(
      feed: F,
      type: string,
      record: FeedRecords[F],
      at: Date,
      data: object = record,
    ): Promise<void> {
      if (!types.includes(type)) return Promise.resolve();
      const event = {
        type,
        ...envelopeOf({
          type,
          companyId: company.id,
          apiVersion,
          createdAt: at,
          identity: `${record.id} ${feed.startsWith('engagement/') ? '' : at.toISOString()}`,
          data,
        }),
      };
      deliveries += 1;
      const deliveryId = deliveries;
      const onAttempt = (outcome: string): void =>
        print(
          `${new Date().toISOString().slice(11, 19)}  ${type}  ${describeRecord(feed, record)}  -> ${escapeForTerminal(outcome)}`,
        );
      lastDelivery = lastDelivery.then(() => forward(event, deliveryId, { url, secret, signal, onAttempt }));
      return lastDelivery;
    }

    // The current state of calls, rooms and contracts, so that a change of an unrelated field causes no delivery.
    const changes = new Changes();
    const calls = createMemoryStore();
    const rooms = createMemoryStore();
    const contracts = createMemoryStore();
    const start = { client, stopAtEnd: true, ...atStart };
    await followFeed('calls', {
      ...start,
      store: calls,
      onPage: ({ data }) => data.forEach((call) => changes.observeCall(call)),
    });
    await followFeed('decision-rooms', {
      ...start,
      store: rooms,
      onPage: ({ data }) => data.forEach((room) => changes.observeRoom(room)),
    });
    await followFeed('esign-documents', {
      ...start,
      store: contracts,
      onPage: ({ data }) => data.forEach((contract) => changes.observeContract(contract)),
    });
    const activity = createMemoryStore();
    for (const feed of ['engagement/events', 'engagement/views'] as const) {
      await skipToNow(feed, { client, store: activity, ...atStart });
    }
    if (given === undefined) report(`Signing secret: ${secret}`);
    report(
      `Forwarding the events of ${escapeForTerminal(`${company.name} to ${url}`)}. Times are UTC. Ctrl-C ends.`,
    );

    const following = { client, pollMs, ...forEver };
    await Promise.all([
      followFeed('engagement/events', {
        ...following,
        store: activity,
        async onPage({ data }) {
          for (const event of data) await post('engagement/events', 'engagement.recorded', event, new Date());
        },
      }),
      followFeed('engagement/views', {
        ...following,
        store: activity,
        async onPage({ data }) {
          for (const view of data) {
            await post('engagement/views', 'engagement.view.recorded', view, new Date());
          }
        },
      }),
      followFeed('calls', {
        ...following,
        store: calls,
        async onPage({ data }) {
          for (const call of data) {
            for (const type of changes.observeCall(call)) {
              await post('calls', type, call, new Date(call.updatedAt));
            }
          }
        },
      }),
      followFeed('decision-rooms', {
        ...following,
        store: rooms,
        async onPage({ data }) {
          for (const room of data) {
            for (const type of changes.observeRoom(room)) {
              await post('decision-rooms', type, room, new Date(room.lastActivityAt));
            }
          }
        },
      }),
      followFeed('esign-documents', {
        ...following,
        store: contracts,
        async onPage({ data }) {
          for (const contract of data) {
            const { buyerSpaceId, updatedAt } = contract;
            for (const type of changes.observeContract(contract)) {
              await post('esign-documents', type, contract, new Date(updatedAt), {
                buyerSpaceId,
                document: contract,
              });
            }
          }
        },
      }),
    ]);
    return EXIT_CODES.done;
  },
};

function receiverUrl(text: string | undefined): string {
  if (text === undefined)
    throw new UsageError('--forward-to is missing: where should the deliveries be sent?');
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new UsageError(`--forward-to must be a URL such as http://localhost:8080/webhooks, but is ${text}`);
  }
  return text;
}

function parseEventTypes(text: string): string[] {
  const types = text.split(',').map((type) => type.trim());
  const unknown = types.find((type) => !FORWARDED.includes(type));
  if (unknown !== undefined) {
    throw new UsageError(
      `--events has the unknown event ${unknown || '(empty)'}; known events are ${FORWARDED.join(', ')}`,
    );
  }
  return types;
}

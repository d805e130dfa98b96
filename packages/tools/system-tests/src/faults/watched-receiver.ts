import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ReceivedRequest,
  type RespondByHand,
  startReceiver,
} from '@deal-signals/test-kit/servers/https-receiver';
import { until } from '@deal-signals/test-kit/until';

/**
 * The receiver's reaction to a request that it has read.
 * - `hold`: takes it, and responds with 200 when `release` is called.
 * - `hang`: never responds; the sender gives up.
 * - `close`: closes the connection without a response.
 */
export type Answer = { status: number; delayMs?: number } | 'hold' | 'hang' | 'close';

/** A request that was read to its end. */
export interface Arrival {
  deliveryId: string;
  request: ReceivedRequest;
  /** The receiver's reaction. */
  answer: Answer;
  /**
   * Whether a consumer would have processed it: true for every request with a 2xx, sent or held. It counts even if the sender
   * is gone and never sees the response.
   */
  isTaken: boolean;
}

/** A receiver that records its requests, for comparison with the database. */
export interface WatchedReceiver {
  readonly url: string;
  /** In order of arrival. */
  readonly arrivals: readonly Arrival[];
  /** Sets the responses from now on. They are used in turn. */
  answerWith(...answers: [Answer, ...Answer[]]): void;
  /** Responds to the held requests. Senders that are gone do not matter. */
  release(): void;
  /** Returns the ids of the deliveries that it has taken at least once. */
  takenIds(): Set<string>;
  /** Waits until this many requests have arrived in all. */
  untilArrived(count: number): Promise<void>;
  /** Waits until every connection is closed, so that nothing more can arrive. */
  untilDisconnected(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a receiver that responds with 200 until `answerWith` is called. */
export async function startWatchedReceiver(): Promise<WatchedReceiver> {
  const arrivals: Arrival[] = [];
  const held: (() => void)[] = [];
  let answers: [Answer, ...Answer[]] = [{ status: 200 }];
  let turn = 0;

  const respond: RespondByHand = async (request, { response }) => {
    const answer = answers[turn % answers.length] as Answer;
    turn += 1;
    arrivals.push({
      deliveryId: String(request.headers['x-service-delivery']),
      request,
      answer,
      isTaken:
        answer === 'hold' || (typeof answer === 'object' && answer.status >= 200 && answer.status <= 299),
    });
    if (answer === 'hang') return;
    if (answer === 'close') {
      response.socket?.destroy();
    } else if (answer === 'hold') {
      held.push(() => response.writeHead(200).end());
    } else {
      if (answer.delayMs !== undefined) await sleep(answer.delayMs);
      response.writeHead(answer.status).end();
    }
  };

  const receiver = await startReceiver({ respond });
  return {
    url: receiver.url,
    arrivals,
    answerWith(...next) {
      answers = next;
      turn = 0;
    },
    release() {
      for (const answer of held.splice(0)) answer();
    },
    takenIds: () => new Set(arrivals.filter(({ isTaken }) => isTaken).map(({ deliveryId }) => deliveryId)),
    async untilArrived(count) {
      await until(`${count} requests at the receiver`, () => arrivals.length >= count);
    },
    async untilDisconnected() {
      await until(
        'the connections to the receiver to be closed',
        async () => (await receiver.connections()) === 0,
      );
    },
    close: () => receiver.close(),
  };
}

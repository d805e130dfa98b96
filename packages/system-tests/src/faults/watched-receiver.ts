import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ReceivedRequest,
  type RespondByHand,
  startReceiver,
} from '@deal-signals/test-kit/https-receiver';
import { until } from '@deal-signals/test-kit/until';

/**
 * What the receiver does with a request that it has read.
 * - `hold`: takes it, and answers 200 when it is told to.
 * - `hang`: never answers; the sender gives up.
 * - `close`: breaks the connection off without an answer.
 */
export type Answer = { status: number; delayMs?: number } | 'hold' | 'hang' | 'close';

/** One request that was read to its end. */
export interface Arrival {
  deliveryId: string;
  request: ReceivedRequest;
  /** What the receiver does with it. */
  answer: Answer;
  /**
   * Whether a consumer would have processed it: everything that is, or would have been, answered with 2xx. It stays
   * taken when the sender is not there any more to hear the answer.
   */
  isTaken: boolean;
}

/** A receiver that keeps the record which the database is compared with. */
export interface WatchedReceiver {
  readonly url: string;
  /** In the order of arrival. */
  readonly arrivals: readonly Arrival[];
  /** What happens from now on: the answers take turns, over and over. */
  answerWith(...answers: [Answer, ...Answer[]]): void;
  /** Answers what was held, as far as somebody still listens. */
  release(): void;
  /** The deliveries that it has taken at least once. */
  takenIds(): Set<string>;
  /** Waits until so many requests have arrived. */
  untilArrived(count: number): Promise<void>;
  /** Waits until every connection is closed, so that nothing more can arrive over any of them. */
  untilDisconnected(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a receiver that answers 200 unless told otherwise. */
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

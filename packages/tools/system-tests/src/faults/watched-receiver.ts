import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ReceivedRequest,
  type RespondByHand,
  startReceiver,
} from '@deal-signals/test-kit/servers/https-receiver';
import { until } from '@deal-signals/test-kit/until';

/**
 * How the receiver handles a request that it has read.
 * - `hold`: accepts it, and responds with 200 when `release` is called.
 * - `hang`: never responds, so the sender times out.
 * - `close`: closes the connection without a response.
 */
export type Answer = { status: number; delayMs?: number } | 'hold' | 'hang' | 'close';

/** A request that was read completely. */
export interface Arrival {
  deliveryId: string;
  request: ReceivedRequest;
  /** How the receiver handles it. */
  answer: Answer;
  /**
   * Whether a consumer would have processed it: true of every request that got a 2xx or was held to get one. It counts even if
   * the sender is gone and never sees the response.
   */
  isTaken: boolean;
}

/** A receiver that records its requests for comparison with the database. */
export interface WatchedReceiver {
  readonly url: string;
  /** In order of arrival. */
  readonly arrivals: readonly Arrival[];
  /** Sets the behaviours from now on; requests use them round-robin. */
  answerWith(...answers: [Answer, ...Answer[]]): void;
  /** Responds to the held requests, including those whose senders are gone. */
  release(): void;
  /** Ids of the deliveries that it has accepted at least once. */
  takenIds(): Set<string>;
  /** Waits until this many requests have arrived in total. */
  untilArrived(count: number): Promise<void>;
  /** Waits until every connection is closed, so that nothing more can arrive over it. */
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

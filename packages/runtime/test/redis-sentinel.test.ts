import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { connectRedis, type RedisClient } from '../src/redis/connect.ts';

// Failovers within the few milliseconds in which a client asks a Sentinel. Real Sentinels cannot be timed to that moment, so this
// Sentinel is a fake. The primary is real.

const NAME = 'signals';

let sentinel: Server;
let sockets: Set<Socket>;
let subscribers: Set<Socket>;
let questions: number;
/** Runs between a client's request for the primary and the answer. */
let beforeAnswer: () => void;
let redis: RedisClient;

beforeEach(async () => {
  const primary = new URL(currentTestRun().redisUrl);
  const address = reply([primary.hostname, primary.port || '6379']);
  sockets = new Set();
  subscribers = new Set();
  questions = 0;
  beforeAnswer = () => {};
  sentinel = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => subscribers.delete(socket));
    socket.setEncoding('utf8').on('data', (data: string) => {
      for (const [name = '', ...args] of parse(data)) {
        if (name === 'subscribe') {
          subscribers.add(socket);
          socket.write(reply(['subscribe', ...args, 1]));
        } else if (args[0] === 'get-master-addr-by-name') {
          questions += 1;
          beforeAnswer();
          // After the message that was just sent to the subscribers.
          setTimeout(() => socket.write(address), 20);
        } else {
          // The client falls back to the protocol version before Redis 6.
          socket.write(args[0] === 'sentinels' ? reply([]) : '-NOPROTO unsupported\r\n');
        }
      }
    });
  });
  await once(sentinel.listen(0, '127.0.0.1'), 'listening');
  redis = connectRedis(
    {
      address: {
        kind: 'sentinel',
        sentinels: [{ host: '127.0.0.1', port: (sentinel.address() as AddressInfo).port }],
        primary: NAME,
        db: 0,
        credentials: primary.password === '' ? {} : { password: primary.password },
        isTls: false,
      },
      ca: null,
      sentinelPassword: null,
      prefix: 'deal-signals',
    },
    { retryStrategy: () => 10, enableOfflineQueue: true },
  );
  redis.on('error', () => {});
});
afterEach(async () => {
  redis.disconnect();
  for (const socket of sockets) socket.destroy();
  sentinel.close();
  await once(sentinel, 'close');
});

/** Parses the commands in a chunk of data, in lower case. The client sends short commands, each as one array of texts. */
function parse(data: string): string[][] {
  return data
    .split(/\*\d+\r\n/)
    .filter((command) => command !== '')
    .map((command) =>
      command
        .toLowerCase()
        .split('\r\n')
        .filter((_, line) => line % 2 === 1),
    );
}

function reply(values: (string | number)[]): string {
  const texts = values.map((value) =>
    typeof value === 'number' ? `:${value}\r\n` : `$${value.length}\r\n${value}\r\n`,
  );
  return `*${values.length}\r\n${texts.join('')}`;
}

const announceFailover = () => {
  for (const subscriber of subscribers) subscriber.write(reply(['message', '+switch-master', NAME]));
};

const untilSubscribed = async () => {
  await redis.ping();
  while (subscribers.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
};

async function closeConnection(): Promise<void> {
  const other = new Redis(currentTestRun().redisUrl);
  try {
    const id = await redis.client('ID');
    await Promise.all([once(redis, 'close'), other.client('KILL', 'ID', id)]);
  } finally {
    other.disconnect();
  }
}

test('a client reconnects when a Sentinel announces a new primary', async () => {
  await untilSubscribed();
  const closed = once(redis, 'close');
  announceFailover();
  await closed;
  expect(await redis.ping()).toBe('PONG');
  expect(questions).toBe(2);
});

test('a client reconnects when a new primary is announced while it is asking for the primary', async () => {
  await untilSubscribed();
  beforeAnswer = announceFailover;
  await closeConnection();
  expect(await redis.ping()).toBe('PONG');
  expect(redis.status).toBe('ready');
});

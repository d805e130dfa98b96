import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import winston from 'winston';
import { createLogger, describeError } from '../src/logger.ts';

test('control characters in a log line are escaped, and its meaning does not change', async () => {
  const logger = createLogger('test', 'info');
  const stream = new PassThrough();
  logger.clear().add(new winston.transports.Stream({ stream }));
  const name = 'Globex\u001B]0;owned\u0007\u009B2J\u007F\n';
  logger.info(name, { name });
  const [chunk] = (await once(stream, 'data')) as [Buffer];
  const line = chunk.toString().trimEnd();
  expect(line).not.toMatch(/\p{Cc}/u);
  expect(JSON.parse(line)).toMatchObject({ message: name, name });
});

test('the description of an error has its name, message and stack, and those of its causes', () => {
  const cause = new TypeError('the cause');
  const { error, stack } = describeError(new Error('the effect', { cause }));
  expect(error).toBe('Error: the effect');
  expect(stack).toMatch(/^Error: the effect\n +at [^]*\ncaused by TypeError: the cause\n +at /);
  const several = describeError(new AggregateError([new Error('one'), new Error('two')], 'both'));
  expect(several.stack).toMatch(/AggregateError: both[^]*caused by Error: one[^]*caused by Error: two/);
});

test('an aggregate error without a message has the messages of its errors', () => {
  const refused = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}:6379`));
  expect(describeError(new AggregateError(refused)).error).toBe(
    'AggregateError: connect ECONNREFUSED ::1:6379; connect ECONNREFUSED 127.0.0.1:6379',
  );
});

test('other properties of an error are not logged', () => {
  const command = { name: 'auth', args: ['default', 'hush-hush'] };
  const refused = Object.assign(new Error('WRONGPASS'), { command });
  const described = describeError(new Error('Redis is away', { cause: refused }));
  expect(described.stack).toContain('WRONGPASS');
  expect(JSON.stringify(described)).not.toContain('hush-hush');
  expect(JSON.stringify(describeError(command))).not.toContain('hush-hush');
});

test('a cycle of causes is followed only a few times', () => {
  const error = new Error('first');
  error.cause = new Error('second', { cause: error });
  expect(describeError(error).stack?.match(/first/g)?.length).toBeLessThan(10);
});

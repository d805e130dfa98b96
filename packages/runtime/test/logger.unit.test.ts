import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import winston from 'winston';
import { createLogger, describeError } from '../src/logger.ts';

test('a line of the log has no character that a terminal obeys, and means the same', async () => {
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

test('an error is described by the name, message and stack of itself and its causes', () => {
  const cause = new TypeError('the cause');
  const { error, stack } = describeError(new Error('the effect', { cause }));
  expect(error).toBe('Error: the effect');
  expect(stack).toMatch(/^Error: the effect\n +at [^]*\ncaused by TypeError: the cause\n +at /);
  const several = describeError(new AggregateError([new Error('one'), new Error('two')], 'both'));
  expect(several.stack).toMatch(/AggregateError: both[^]*caused by Error: one[^]*caused by Error: two/);
});

test('an error without a message that stands for several is described by theirs', () => {
  const refused = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}:6379`));
  expect(describeError(new AggregateError(refused)).error).toBe(
    'AggregateError: connect ECONNREFUSED ::1:6379; connect ECONNREFUSED 127.0.0.1:6379',
  );
});

test('other properties of an error stay out of the log', () => {
  const command = { name: 'auth', args: ['default', 'hush-hush'] };
  const refused = Object.assign(new Error('WRONGPASS'), { command });
  const described = describeError(new Error('Redis is away', { cause: refused }));
  expect(described.stack).toContain('WRONGPASS');
  expect(JSON.stringify(described)).not.toContain('hush-hush');
  expect(JSON.stringify(describeError(command))).not.toContain('hush-hush');
});

test('a circle of causes is described only a few times', () => {
  const error = new Error('first');
  error.cause = new Error('second', { cause: error });
  expect(describeError(error).stack?.match(/first/g)?.length).toBeLessThan(10);
});

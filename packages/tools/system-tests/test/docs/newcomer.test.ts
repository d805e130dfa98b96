import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describeDelivery, describeStack } from '@deal-signals/local-stack/commands/screen';
import { readStartOptions } from '@deal-signals/local-stack/commands/start-options';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { createClosers } from '@deal-signals/local-stack/processes/closers';
import { runStack } from '@deal-signals/local-stack/run-stack';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { until } from '@deal-signals/test-kit/until';
import { expect, test } from '@jest/globals';

// The path of a newcomer, as the README describes it: start everything, paste a command, see the webhook.

const README = readFileSync(path.join(REPOSITORY_ROOT, 'README.md'), 'utf8');
const HAS_CURL = spawnSync('curl', ['--version']).status === 0;
const plain = (_style: string, text: string) => text;

/** Replaces the values that differ on each start by those of the README. */
const withoutValues = (command: string) =>
  command
    .replace(/:\d+\/records/, ':3003/records')
    .replace(/Bearer [^']+/, 'Bearer …')
    .replace(/"hello-[^"]+"/, '"hello-…"')
    .replaceAll(/"(occurredAt|distributionId)":"[^"]+"/g, '"$1":"…"');

test(`pnpm start prints a curl command that posts a record, and shows its webhook${HAS_CURL ? '' : ' (CURL IS MISSING: NOT RUN)'}`, async () => {
  if (!HAS_CURL) return;
  const { NODE_OPTIONS: _jestFlags, DATABASE_URL: _database, REDIS_URL: _redis, ...inherited } = process.env;
  const environment = { ...inherited, PORT: '0', DISPATCH_TICK_MS: '200' };
  const folder = mkdtempSync(path.join(currentTestRun().folder, 'newcomer-'));
  const stopping = new AbortController();
  const closers = createClosers();
  const screen: string[] = [];
  try {
    const { stack, firstRecord } = await runStack(readStartOptions([], environment), {
      folder,
      environment,
      closers,
      signal: stopping.signal,
      fail: (error) => stopping.abort(error),
      hurry: new AbortController().signal,
      say: () => {},
      onDelivery: (delivery) => screen.push(describeDelivery(delivery, 80, plain)),
    });
    const commands = describeStack(stack, plain, firstRecord)
      .split('\n')
      .filter((line) => line.startsWith('curl '));
    expect(commands).toHaveLength(4);
    const results = commands.map((command) => spawnSync('sh', ['-c', command], { encoding: 'utf8' }).stdout);
    for (const result of results.slice(0, 3)) expect(JSON.parse(result)).not.toHaveProperty('error');
    expect(results[3]).toBe('{"committed":1}\n{"done":true,"captured":1,"unchanged":0,"refused":0}\n');
    expect(README).toContain(`\n${withoutValues(commands[3] ?? '')}\n`);
    const line = await until('the webhook is on the screen', () =>
      screen.find((one) => one.includes('room_visit: your record')),
    );
    expect(line).toMatch(/ engagement\.recorded +verified /);
  } finally {
    stopping.abort(new Error('the test is over'));
    await closers.closeAll((what, error) => {
      throw new Error(`${what} did not end`, { cause: error });
    });
  }
});

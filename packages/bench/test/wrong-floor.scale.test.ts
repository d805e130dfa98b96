import path from 'node:path';
import { expect, test } from '@jest/globals';
import { BENCH, runBench, TINY } from './run-bench.ts';

test.each([
  ['the first response of the floor is wrong', '1', /floor: wrong response to .*\$\.data\.title: expected/],
  // 50 calls are asked for once each before they are measured.
  ['a later response of the floor is wrong', '55', /wrong response to \/api\/v1\/calls\/.*200/],
])('fails if %s', async (_case, wrongFrom, message) => {
  const floor = path.join(BENCH, 'test/wrong-floor-process.ts');
  const { code, stdout, stderr } = await runBench(`--only one ${TINY} --floor ${floor}`, {
    WRONG_FROM_RESPONSE: wrongFrom,
  });
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(message)]);
});

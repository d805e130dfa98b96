import { expect, test } from '@jest/globals';
import { readAnnouncedPort } from '../src/listening.ts';

test.each([
  [{ listening: { port: 65_535 } }, 65_535],
  [{ listening: { port: 0 } }, undefined],
  [{ listening: { port: '80' } }, undefined],
  [{ type: 'dependency', path: '/somewhere' }, undefined],
  ['ready', undefined],
  [null, undefined],
])('the message %j names the port %p', (message, port) => {
  expect(readAnnouncedPort(message)).toBe(port);
});

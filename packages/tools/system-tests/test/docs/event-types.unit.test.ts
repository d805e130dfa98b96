import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { EVENTS } from '@deal-signals/serializers/events/events';
import { expect, test } from '@jest/globals';
import { DATA_FEEDS } from 'deal-signals/feeds/feeds';
import { readPage } from './programs.ts';

const TYPES = Object.keys(EVENTS);

test('the guide to the first sync states when each event is sent', () => {
  const listed = Array.from(
    readPage('first-sync.md').matchAll(/^\| `([a-z_.]+\.[a-z]+)` +\| /gm),
    ([, type]) => type,
  );
  expect(listed).toHaveLength(TYPES.length);
  expect(new Set(listed)).toEqual(new Set(TYPES));
});

test('the guide to the first sync lists each data feed', () => {
  const listed = Array.from(
    readPage('first-sync.md').matchAll(/^\| `GET \/([a-z/-]+)` +\| /gm),
    ([, feed = '']) => feed,
  );
  expect(listed.toSorted()).toEqual(DATA_FEEDS.toSorted());
});

test('the guide to capture states which record causes each event of a feed', () => {
  const caused = readPage('capture.md')
    .split('\n')
    .filter((line) => /^\| `\w+` /.test(line))
    .flatMap((line) => Array.from(line.matchAll(/`([a-z_]+\.[a-z_.]+)`/g), ([, type]) => type));
  const shown = Object.entries(EVENTS).filter(([, { object }]) => object !== null);
  expect(new Set(caused)).toEqual(new Set(shown.map(([type]) => type)));
});

test('the changelog names each event', () => {
  const changelog = readFileSync(path.join(REPOSITORY_ROOT, 'CHANGELOG.md'), 'utf8');
  expect(TYPES.filter((type) => !changelog.includes(`\`${type}\``))).toEqual([]);
});

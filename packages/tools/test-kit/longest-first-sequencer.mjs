import { readFileSync } from 'node:fs';
import path from 'node:path';
import TestSequencer from '@jest/test-sequencer';

const ROOT = path.join(import.meta.dirname, '../../..');
/** Seconds that the slow test files take on two cores that do nothing else. */
const SECONDS = JSON.parse(readFileSync(path.join(import.meta.dirname, 'slow-tests.json'), 'utf8'));
/** A file that is not listed takes about this long. */
const OTHERS_SECONDS = 3;

/**
 * Starts the longest test files first, so that no worker begins a file of minutes when the other has nothing left to do.
 *
 * Jest itself does so once it has run the files and remembers how long they took. In a fresh clone it knows only their size,
 * which says little. There the list beside this file tells what is slow.
 */
export default class LongestFirst extends TestSequencer {
  time(test) {
    return super.time(test) ?? 1_000 * (SECONDS[path.relative(ROOT, test.path)] ?? OTHERS_SECONDS);
  }
}

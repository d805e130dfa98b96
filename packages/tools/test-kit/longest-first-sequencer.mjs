import { readFileSync } from 'node:fs';
import path from 'node:path';
import TestSequencer from '@jest/test-sequencer';

const ROOT = path.join(import.meta.dirname, '../../..');
/** Seconds that the slow test files take on two idle cores. */
const SECONDS = JSON.parse(readFileSync(path.join(import.meta.dirname, 'slow-tests.json'), 'utf8'));
/** The assumed duration of an unlisted file. */
const OTHERS_SECONDS = 3;

/**
 * Starts the longest test files first, so that no worker begins a long file when the others have run out of work.
 *
 * Jest does this by itself once it has recorded the durations of earlier runs. In a fresh clone it has only file sizes, which are
 * a poor estimate. The list beside this file names the slow files for that case.
 */
export default class LongestFirst extends TestSequencer {
  time(test) {
    return super.time(test) ?? 1_000 * (SECONDS[path.relative(ROOT, test.path)] ?? OTHERS_SECONDS);
  }
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import TestSequencer from '@jest/test-sequencer';

const ROOT = path.join(import.meta.dirname, '../../..');
/** The seconds that the slow test files took in a run of `.ci/run` on two cores. */
const SECONDS = JSON.parse(readFileSync(path.join(import.meta.dirname, 'slow-tests.json'), 'utf8'));
/** The estimate for a file that is not listed. */
const OTHERS_SECONDS = 3;

/**
 * Starts the longest test files first, so that no worker begins a file of minutes when the others have finished.
 * Jest does so itself once it has recorded the durations of a run. A fresh clone has only the file sizes, which hardly
 * correlate with the durations, so the list beside this file provides them.
 */
export default class LongestFirst extends TestSequencer {
  time(test) {
    return super.time(test) ?? 1_000 * (SECONDS[path.relative(ROOT, test.path)] ?? OTHERS_SECONDS);
  }
}

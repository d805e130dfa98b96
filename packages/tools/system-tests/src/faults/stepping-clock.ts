import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The system clock as seen by some processes. */
export interface SteppingClock {
  /** The environment of the processes that use this clock. */
  readonly environment: Record<string, string>;
  /** Sets the offset from the true time. Durations are not affected, as when a system clock is set. */
  step(offsetMs: number): Promise<void>;
}

const PRELOAD = pathToFileURL(path.join(import.meta.dirname, '../../stepping-clock-preload.mjs'));

/** Creates a clock that shows the true time until it is stepped. */
export async function createSteppingClock(folder: string): Promise<SteppingClock> {
  const file = path.join(folder, 'clock-offset-ms');
  const step = (offsetMs: number) => writeFile(file, String(offsetMs));
  await step(0);
  return {
    environment: { NODE_OPTIONS: `--import ${PRELOAD.href}`, CLOCK_OFFSET_FILE: file },
    step,
  };
}

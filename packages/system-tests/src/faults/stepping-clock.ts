import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The system clock of some processes, as far as they can see it. */
export interface SteppingClock {
  /** For the processes that shall live by this clock. */
  readonly environment: Record<string, string>;
  /** Sets it so far from the true time. What measures durations is left alone, as it is when a system clock is set. */
  step(offsetMs: number): Promise<void>;
}

const PRELOAD = pathToFileURL(path.join(import.meta.dirname, '../../stepping-clock-preload.mjs'));

/** A clock that goes right until it is stepped. */
export async function createSteppingClock(folder: string): Promise<SteppingClock> {
  const file = path.join(folder, 'clock-offset-ms');
  const step = (offsetMs: number) => writeFile(file, String(offsetMs));
  await step(0);
  return {
    environment: { NODE_OPTIONS: `--import ${PRELOAD.href}`, CLOCK_OFFSET_FILE: file },
    step,
  };
}

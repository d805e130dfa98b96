import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { captureRecords } from '@deal-signals/capture/stream/capture-records';
import { captureRecord } from '@deal-signals/capture/records/record';
import { RecordError } from '@deal-signals/capture/records/record-error';
import type { Database } from '@deal-signals/db/database';
import { demoWorkspace } from '../quarter/workspaces.ts';
import { storySteps, type StoryStep } from './story.ts';

export interface SimulationOptions {
  db: Database;
  /** A demo workspace that has been seeded. */
  companyId: number;
  /** Time between two steps of the story, in milliseconds. */
  intervalMs?: number;
  /** Called with each step once it is captured. */
  onStep?: (step: StoryStep) => void;
  /** Called when a step could not be captured. The story continues after the next interval. */
  onError: (error: unknown) => void;
}

export interface Simulation {
  /** Ends the story. Resolves once the current step is captured. */
  stop: () => Promise<void>;
}

/**
 * Captures live sales step by step, one sale after another, until it is stopped.
 *
 * @throws Error if the workspace is not a demo workspace.
 */
export function startSimulation({
  db,
  companyId,
  intervalMs = 4000,
  onStep = () => {},
  onError,
}: SimulationOptions): Simulation {
  const workspace = demoWorkspace(companyId);
  const stopping = new AbortController();

  const newStory = () => storySteps({ workspace, run: randomUUID(), clock: () => new Date() });

  async function play(): Promise<void> {
    let story = newStory();
    let step = story.next().value;
    while (!stopping.signal.aborted) {
      try {
        const records = step.records.map((record) => captureRecord.parse(record));
        await captureRecords(db, records);
        onStep(step);
        step = story.next().value;
      } catch (error) {
        onError(error);
        // A step can be repeated safely, for example after the database was down. A faulty record would fail again, so a new
        // story starts.
        if (error instanceof RecordError) {
          story = newStory();
          step = story.next().value;
        }
      }
      await pause(intervalMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const playing = play();
  return {
    async stop() {
      stopping.abort();
      await playing;
    },
  };
}

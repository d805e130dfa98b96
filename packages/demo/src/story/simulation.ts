import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { captureRecords } from '@deal-signals/capture/capture-records';
import { captureRecord } from '@deal-signals/capture/record';
import { RecordError } from '@deal-signals/capture/record-error';
import type { Database } from '@deal-signals/db/database';
import { storySteps, type StoryStep } from './story.ts';
import { demoWorkspace, type Workspace } from '../quarter/workspaces.ts';

export interface SimulationOptions {
  db: Database;
  /** A workspace of the demo, seeded before. */
  companyId: number;
  /** Time between two steps of the story. */
  intervalMs?: number;
  /** Told of every step once it is captured. */
  onStep?: (step: StoryStep) => void;
  /** Told of a step that could not be captured; the story goes on after the next interval. */
  onError: (error: unknown) => void;
}

export interface Simulation {
  /** Ends the story; resolves when the step under way is captured. */
  stop: () => Promise<void>;
}

/**
 * Keeps signals coming: captures a live sale step by step, then the next one, until it is stopped.
 *
 * @throws Error when the workspace is not one of the demo's.
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

  async function tell(): Promise<void> {
    let story = newStory(workspace);
    let step = story.next().value;
    while (!stopping.signal.aborted) {
      try {
        await captureRecords(
          db,
          step.records.map((record) => captureRecord.parse(record)),
        );
        onStep(step);
        step = story.next().value;
      } catch (error) {
        onError(error);
        // The same step again, which is safe, is right while the database is away. A record that does not fit never will.
        if (error instanceof RecordError) {
          story = newStory(workspace);
          step = story.next().value;
        }
      }
      await pause(intervalMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const told = tell();
  return {
    async stop() {
      stopping.abort();
      await told;
    },
  };
}

function newStory(workspace: Workspace): Generator<StoryStep, never> {
  return storySteps({ workspace, run: randomUUID(), clock: () => new Date() });
}

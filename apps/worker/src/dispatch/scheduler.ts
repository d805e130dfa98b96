import type { Queue } from 'bullmq';
import { JOB_OPTIONS } from '../queues.ts';

const SCHEDULER_ID = 'tick';
/** How soon a wiped Redis is noticed, when ticks are rarer than this. */
const LONGEST_CHECK_MS = 5_000;
/** Timers and round trips are not exact. */
const SLACK_MS = 1_000;

/** The scheduling of ticks by this process. */
export interface DispatchScheduler {
  /** Leaves the scheduler to the other workers. */
  stop(): void;
}

/**
 * Keeps the dispatch queue ticking: a BullMQ scheduler puts one job into it every `tickMs`, however many workers there
 * are. A Redis that was wiped does not get its scheduler back by itself, so a timer looks after it.
 */
export function keepTicking(
  queue: Queue,
  tickMs: number,
  onError: (error: Error) => void,
): DispatchScheduler {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function run(step: (queue: Queue, tickMs: number) => Promise<void>): Promise<void> {
    try {
      await step(queue, tickMs);
    } catch (error) {
      onError(error as Error);
    }
    // A timeout and not an interval: while Redis is away the checks do not pile up.
    if (!isStopped) timer = setTimeout(() => void run(repairTicks), Math.min(tickMs, LONGEST_CHECK_MS));
  }

  void run(startTicks);
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Creates the scheduler, or gives it another period. The first tick comes at once then; a scheduler that has this period
 * already keeps its next run.
 */
async function startTicks(queue: Queue, tickMs: number): Promise<void> {
  await queue.upsertJobScheduler(SCHEDULER_ID, { every: tickMs }, { name: 'tick', opts: JOB_OPTIONS });
}

/**
 * Creates the scheduler anew if it is missing, if its next run is overdue, because that job is lost, or if the run is too
 * far ahead, because a process with a wrong clock has set it. A sound one is left alone, whatever its period: workers
 * with different settings would otherwise start a tick each time they change it back.
 */
async function repairTicks(queue: Queue, tickMs: number): Promise<void> {
  const scheduler = await queue.getJobScheduler(SCHEDULER_ID);
  if (scheduler !== undefined) {
    const offMs = Math.abs((scheduler.next ?? 0) - Date.now());
    if (offMs <= 2 * (scheduler.every ?? tickMs) + SLACK_MS) return;
    await queue.removeJobScheduler(SCHEDULER_ID);
  }
  await startTicks(queue, tickMs);
}

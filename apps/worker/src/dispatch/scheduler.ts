import type { Queue } from 'bullmq';
import { JOB_OPTIONS } from '../queues.ts';

const SCHEDULER_ID = 'tick';
/** The longest time until a wiped Redis is noticed. */
const LONGEST_CHECK_MS = 5_000;
/** Tolerance for timers and round trips. */
const SLACK_MS = 1_000;

/** This process's part in scheduling ticks. */
export interface DispatchScheduler {
  /** Stops looking after the scheduler. The other workers continue. */
  stop(): void;
}

/**
 * Keeps the dispatch queue ticking: a BullMQ scheduler adds one job every `tickMs`, however many workers there are. BullMQ
 * does not restore the scheduler after Redis was wiped, so a timer checks it.
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
    // A timeout, not an interval, so that checks do not pile up while Redis is away.
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
 * Creates the scheduler or changes its period; either makes the first tick run at once. A scheduler that already has
 * this period keeps its next run.
 */
async function startTicks(queue: Queue, tickMs: number): Promise<void> {
  await queue.upsertJobScheduler(SCHEDULER_ID, { every: tickMs }, { name: 'tick', opts: JOB_OPTIONS });
}

/**
 * Creates the scheduler again if it is missing, if its next run is overdue (that job was lost), or if that run is too far
 * ahead (a process with a wrong clock set it). A healthy scheduler is left alone, whatever its period: workers with
 * different settings would otherwise trigger a tick each time they change it back.
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

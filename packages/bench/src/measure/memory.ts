import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Memory of a process, in MiB. */
interface Memory {
  /** What it takes now. */
  residentMiB: number;
  /** The most that it has taken since it started. */
  peakMiB: number;
}

const SAMPLE_MS = 50;
const KIB_PER_MIB = 1_024;

/** Reads the memory of a process; null on a machine without `/proc`, and for a process that has ended. */
export function readMemory(pid: number): Memory | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return null;
  }
  const field = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN) / KIB_PER_MIB;
  return { residentMiB: field('VmRSS'), peakMiB: field('VmHWM') };
}

/** Reads the resident memory of a process again and again while some work runs, at least once. Throws what the work throws. */
export async function memoryDuring(pid: number, work: Promise<unknown>): Promise<number[]> {
  const samples: number[] = [];
  const done = work.then(() => true);
  for (;;) {
    const memory = readMemory(pid);
    if (memory !== null) samples.push(memory.residentMiB);
    if (await Promise.race([done, sleep(SAMPLE_MS, false)])) return samples;
  }
}

import type { Load, LoadReport } from '../loader/loader-process.ts';
import { cpuPerUnit, type Processes, readCpu } from '../measure/cpu.ts';
import type { Sample } from '../measure/rounds.ts';
import type { BenchStack } from '../stack/bench-stack.ts';
import type { Child } from '../stack/child.ts';

/** The load generator. */
export type Loader = Child<Load, LoadReport>;

/** Starts the load generator. */
export function startLoader(stack: BenchStack): Promise<Loader> {
  return stack.startChild(new URL('../loader/loader-process.ts', import.meta.url), {});
}

/** Sends requests for a while; the value is the time for each response. */
export async function loadTurn(loader: Loader, load: Load, processes: Processes): Promise<Sample> {
  const before = readCpu(processes);
  const { responses, elapsedMs } = await loader.ask(load);
  return { value: elapsedMs / responses, cpuMs: cpuPerUnit(before, readCpu(processes), responses) };
}

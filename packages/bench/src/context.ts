import type { BenchOptions } from './options.ts';
import type { BenchStack } from './stack/bench-stack.ts';

/** What a measurement works with. */
export interface BenchContext {
  stack: BenchStack;
  options: BenchOptions;
  /** Shows the user what is being done. */
  say: (line: string) => void;
}

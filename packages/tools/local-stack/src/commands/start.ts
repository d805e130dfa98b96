import { escapeForTerminal, escapeLinesForTerminal } from '@deal-signals/db/escape-for-terminal';
import { ConfigurationError } from '@deal-signals/runtime/read-environment';
import { LOCAL_FOLDER } from '../files/local-folder.ts';
import { createClosers } from '../processes/closers.ts';
import { AlreadyRunningError } from '../processes/instance-lock.ts';
import { watchLaunchers } from '../processes/launcher-watch.ts';
import { runStack } from '../run-stack.ts';
import { describeDelivery, describeFeed, describeStack, painter } from './screen.ts';
import { readStartOptions, USAGE, UsageError } from './start-options.ts';

/** Aborts the start when the stack is asked to stop. */
class StopRequested extends Error {}

/** One Ctrl-C can arrive twice, from the terminal and from pnpm. A second Ctrl-C of the user comes later than this. */
const SAME_KEYSTROKE_MS = 700;
/** Width of an output that is not a terminal, or reports no width. */
const DEFAULT_COLUMNS = 80;

const stopping = new AbortController();
const hurrying = new AbortController();
const closers = createClosers();
const paint = painter(process.stdout, process.env);
const say = (line: string) => void process.stdout.write(`${line}\n`);

/** `pnpm start`: runs the whole product on this machine until Ctrl-C. Returns the exit code. */
async function main(): Promise<number> {
  if (process.argv.includes('--help')) {
    say(USAGE);
    return 0;
  }
  listenForStop();
  try {
    const options = readStartOptions(process.argv.slice(2), process.env);
    const { stack, beginStory, firstRecord } = await runStack(options, {
      folder: LOCAL_FOLDER,
      environment: process.env,
      closers,
      signal: stopping.signal,
      fail: (error) => stopping.abort(error),
      hurry: hurrying.signal,
      say: (line) => say(paint('dim', escapeLinesForTerminal(line))),
      onDelivery: (delivery) =>
        say(describeDelivery(delivery, process.stdout.columns || DEFAULT_COLUMNS, paint)),
    });
    say(`\n${describeStack(stack, paint, firstRecord)}`);
    if (options.demo) say(describeFeed(options.tickMs, paint));
    beginStory();
    await new Promise((_, reject) => {
      stopping.signal.throwIfAborted();
      stopping.signal.addEventListener('abort', () => reject(stopping.signal.reason as Error));
    });
    return 0;
  } catch (error) {
    if (error instanceof StopRequested) return 0;
    process.stderr.write(`\n${escapeLinesForTerminal(explain(error))}\n`);
    return error instanceof UsageError ? 2 : 1;
  } finally {
    // Ends every wait that is still in progress.
    stopping.abort(new StopRequested());
    await closers.closeAll((what, error) => {
      process.stderr.write(`${what} did not stop cleanly: ${escapeForTerminal((error as Error).message)}\n`);
    });
  }
}

function listenForStop(): void {
  let requestedAtMs: number | undefined;
  const request = (isInterrupt: boolean) => {
    if (requestedAtMs === undefined) {
      requestedAtMs = Date.now();
      stopping.abort(new StopRequested());
      say(paint('dim', '\nStopping … (press Ctrl-C again to stop at once)'));
    } else if (isInterrupt && Date.now() - requestedAtMs > SAME_KEYSTROKE_MS) {
      hurrying.abort();
    }
  };
  process.on('SIGINT', () => request(true));
  process.on('SIGTERM', () => request(false));
  process.on('SIGHUP', () => request(false));
  watchLaunchers(() => request(false));
  // Writing to a closed terminal fails. The stack still has to be stopped.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error) => stopping.abort(error));
  }
}

/** Describes an error: with its stack if it is a bug, without if the user can fix the cause. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isPlain = [ConfigurationError, UsageError, AlreadyRunningError].some((kind) => error instanceof kind);
  const isBug = error.constructor !== Error && !isPlain;
  return isBug ? (error.stack ?? error.message) : error.message;
}

// Everything is stopped. A connection that is still open must not keep the process alive.
process.exit(await main());

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The export of a child's module. It takes the child's options and returns the function that handles requests. */
export type Serve = (options: never) => Promise<(request: never) => unknown>;

type Handler<S extends Serve> = Awaited<ReturnType<S>>;
type Reply<S extends Serve> = Awaited<ReturnType<Handler<S>>>;

/** A child process of the bench that handles one request at a time. */
export interface Child<S extends Serve> {
  readonly pid: number;
  /**
   * Sends a request and returns the reply.
   *
   * @throws Error with the message of the child's error, or if the child ends before it replies.
   */
  call(request: Parameters<Handler<S>>[0]): Promise<Reply<S>>;
  stop: () => Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('./child-process.ts', import.meta.url));
const STOP_TIMEOUT_MS = 10_000;

/**
 * Starts a process that runs the `serve` of a module, and waits until it is ready. Its imports of the product resolve to
 * the built code, which `startApp` runs too.
 *
 * @param module the path of the module below `src`.
 */
export async function startChild<S extends Serve>(module: string, options: object): Promise<Child<S>> {
  const url = new URL(`../${module}`, import.meta.url).href;
  const child = fork(PROGRAM, [url, JSON.stringify(options)], {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production' },
    // Ctrl-C must reach the bench alone, which then stops its children in order.
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

  function nextMessage(): Promise<{ reply?: unknown; error?: string }> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`${module} ended with ${code}`));
      child.once('exit', ended);
      child.once('message', (message) => {
        child.off('exit', ended);
        resolve(message as object);
      });
    });
  }

  await nextMessage();
  return {
    pid: child.pid ?? 0,
    async call(request): Promise<Reply<S>> {
      const message = nextMessage();
      child.send(request as object);
      const { reply, error } = await message;
      if (error !== undefined) throw new Error(error);
      return reply as Reply<S>;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}

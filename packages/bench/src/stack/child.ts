import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process of the bench that handles one question at a time. */
export interface Child<Question, Reply> {
  readonly pid: number;
  /** @throws Error with the message of the child's error, or if the child ends before it replies. */
  ask(question: Question): Promise<Reply>;
  stop(): Promise<void>;
}

interface ReplyMessage<Reply> {
  reply?: Reply;
  error?: string;
}

const STOP_TIMEOUT_MS = 10_000;

/**
 * Starts a program of the bench and waits until it is ready. The program calls `serveParent`. What it imports of the product is
 * the built code, as `startApp` runs it.
 */
export async function startChild<Question, Reply>(
  program: URL,
  options: object,
): Promise<Child<Question, Reply>> {
  const child = fork(fileURLToPath(program), [JSON.stringify(options)], {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production' },
    // Ctrl-C reaches the bench alone, which then stops its children in order.
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

  function nextMessage(): Promise<ReplyMessage<Reply>> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`${program.pathname} ended with ${code}`));
      child.once('exit', ended);
      child.once('message', (message) => {
        child.off('exit', ended);
        resolve(message as ReplyMessage<Reply>);
      });
    });
  }

  await nextMessage();
  return {
    pid: child.pid ?? 0,
    async ask(question) {
      const message = nextMessage();
      child.send(question as object);
      const { reply, error } = await message;
      if (error !== undefined) throw new Error(error);
      return reply as Reply;
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

/** The options that the parent gave this process. */
export function optionsOfParent(): unknown {
  return JSON.parse(process.argv[2] ?? '{}');
}

/** Replies to the questions of the parent, and ends this process when the parent disconnects or ends. */
export function serveParent(handle: (question: never) => unknown): void {
  // A parent that has ended in the meantime is no error here: `disconnect` ends this process.
  const tell = (message: object) => process.send?.(message, undefined, undefined, () => {});
  process.on('message', (question) => {
    void Promise.resolve(question as never)
      .then(handle)
      .then(
        (reply) => tell({ reply }),
        (error: unknown) => tell({ error: (error as Error).stack ?? String(error) }),
      );
  });
  process.on('disconnect', () => process.exit());
  tell({});
}

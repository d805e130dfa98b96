import type { IncomingMessage } from 'node:http';
import { discardRest } from './discard-rest.ts';
import { CaptureError } from './errors.ts';

/** The body of a request, of any length. */
export interface RequestBody {
  /**
   * The body in parts. The next part is read from the connection only after the previous one was consumed.
   *
   * @throws CaptureError REQUEST_TIMEOUT if nothing arrives for too long; Error if the connection ends before the body.
   */
  readonly parts: AsyncIterable<Buffer>;
  /** Ends `parts`, and discards the rest of the body. */
  discard(): void;
}

/** @param idleMs maximum time without data while a part is awaited. */
export function readBody(request: IncomingMessage, idleMs: number): RequestBody {
  const arrived: Buffer[] = [];
  let end: { error: Error | null } | undefined;
  let wake = (): void => {};

  function finish(error: Error | null): void {
    end ??= { error };
    wake();
  }
  function keep(part: Buffer): void {
    arrived.push(part);
    request.pause();
    wake();
  }
  request.on('data', keep);
  request.once('end', () => finish(null));
  request.once('error', finish);
  request.once('close', () => finish(new Error('the connection ended before the request')));

  async function waitForMore(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
      request.resume();
      const giveUp = (): void =>
        finish(new CaptureError('REQUEST_TIMEOUT', `nothing has arrived for ${idleMs} ms`));
      // After a pause of this process, its timers fire before it reads the data that arrived during the pause.
      timer = setTimeout(() => setImmediate(() => wake === resolve && giveUp()), idleMs);
    });
    wake = () => {};
    clearTimeout(timer);
  }

  async function* parts(): AsyncGenerator<Buffer, void> {
    for (;;) {
      const part = arrived.shift();
      if (part !== undefined) yield part;
      else if (end === undefined) await waitForMore();
      else if (end.error === null) return;
      else throw end.error;
    }
  }

  return {
    parts: parts(),
    discard() {
      arrived.length = 0;
      finish(null);
      request.off('data', keep);
      discardRest(request);
    },
  };
}

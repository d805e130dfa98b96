/**
 * Waits for a promise for a limited time.
 *
 * @throws Error if the promise has not settled after `deadlineMs`. The promise continues, and its result is ignored.
 */
export async function withTimeout<T>(deadlineMs: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    // If this process was paused, its timers fire before it reads the input that has arrived in the meantime, so the promise gets
    // one more turn of the event loop.
    timer = setTimeout(
      () => setImmediate(reject, new Error(`no response within ${deadlineMs} ms`)),
      deadlineMs,
    );
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits for a promise for a limited time.
 * @throws Error when the promise has not settled after `deadlineMs`. It then continues unobserved.
 */
export async function withTimeout<T>(deadlineMs: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    // When this process itself was paused, its timers fire before it reads what has arrived in the meantime, so the
    // promise gets one more turn of the event loop.
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

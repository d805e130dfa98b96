/**
 * Waits for a promise, but not for ever.
 * @throws Error when it has not settled after `deadlineMs`; it is left to itself then.
 */
export async function within<T>(deadlineMs: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    // After a pause of this very process timers come first: what has arrived meanwhile is still to be read.
    timer = setTimeout(
      () => setImmediate(reject, new Error(`no answer within ${deadlineMs} ms`)),
      deadlineMs,
    );
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs a read, or joins one with the same key that has not begun. */
export type SharedReads<T> = (key: string, read: () => Promise<T>) => Promise<T>;

interface Line<T> {
  /** Settles when the read that is under way has ended; it never rejects. */
  underWay: Promise<void>;
  /** The read that begins after it. */
  next: Promise<T> | undefined;
}

/**
 * Shares reads between callers without keeping a result. At most one read of a key runs at a time. Callers that arrive
 * meanwhile share the next one, which begins afterwards. So a read always begins after its caller asked for it: its
 * result is as fresh as that of a read of the caller's own. A key takes memory only while a read of it is under way.
 */
export function createSharedReads<T>(): SharedReads<T> {
  const lines = new Map<string, Line<T>>();

  function begin(key: string, line: Line<T>, read: () => Promise<T>): Promise<T> {
    line.next = undefined;
    const reading = read();
    const end = (): void => {
      if (line.next === undefined) lines.delete(key);
    };
    line.underWay = reading.then(end, end);
    return reading;
  }

  return (key, read) => {
    const known = lines.get(key);
    if (known !== undefined) return (known.next ??= known.underWay.then(() => begin(key, known, read)));
    const line: Line<T> = { underWay: Promise.resolve(), next: undefined };
    lines.set(key, line);
    return begin(key, line, read);
  };
}

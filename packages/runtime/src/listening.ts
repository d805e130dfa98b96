import { z } from 'zod';

const announcement = z.object({ listening: z.object({ port: z.int().min(1).max(65_535) }) });

/**
 * Sends the port that this process listens on to the parent process, over Node's IPC channel. Does nothing if the parent has not
 * opened a channel. The log cannot be used for this, because its contents depend on `LOG_LEVEL`.
 *
 * A channel without a listener does not keep the process alive, and a parent that has already exited is not an error.
 */
export function announcePort(port: number): void {
  const message: z.input<typeof announcement> = { listening: { port } };
  process.send?.(message, undefined, undefined, () => {});
}

/** Returns the port in a child's message; undefined for any other message. */
export function readAnnouncedPort(message: unknown): number | undefined {
  return announcement.safeParse(message).data?.listening.port;
}

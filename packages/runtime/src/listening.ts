import { z } from 'zod';

const announcement = z.object({ listening: z.object({ port: z.int().min(1).max(65_535) }) });

/**
 * Tells the parent process which port this process listens on, over Node's IPC channel. Does nothing when the parent has
 * not opened one. The log cannot serve for this: what it contains depends on `LOG_LEVEL`.
 *
 * Node keeps no process alive for a channel that has no listener, and a parent that is already gone is no error here.
 */
export function announcePort(port: number): void {
  const message: z.input<typeof announcement> = { listening: { port } };
  process.send?.(message, undefined, undefined, () => {});
}

/** The port in a child's message; undefined when the message is about something else. */
export function readAnnouncedPort(message: unknown): number | undefined {
  return announcement.safeParse(message).data?.listening.port;
}

import { inspect } from 'node:util';
import winston from 'winston';
import { z } from 'zod';

/** What `LOG_LEVEL` may be. */
export const logLevel = z
  .enum(['error', 'warn', 'info', 'debug'], { error: 'must be one of error, warn, info, debug' })
  .default('info');

export type Logger = winston.Logger;

/**
 * The log of one app: a JSON object a line on standard output, with the same field names in every app. Callers pass
 * only fields that are safe to keep: no header, no key, no secret.
 */
export function createLogger(app: string, level: z.infer<typeof logLevel>): Logger {
  return winston.createLogger({
    level,
    defaultMeta: { app },
    format: winston.format.combine(winston.format.timestamp(), winston.format.json()),
    transports: [new winston.transports.Console()],
  });
}

/** What is worth keeping of an error, its causes included, as log fields. */
export function describeError(error: unknown): { error: string; stack?: string } {
  if (!(error instanceof Error)) return { error: inspect(error) };
  return { error: `${error.name}: ${error.message}`, stack: inspect(error) };
}

import { types } from 'node:util';
import winston from 'winston';
import { z } from 'zod';
import { withoutRepeatedFailures } from './repeated-failures.ts';

/** Reads `LOG_LEVEL`. */
export const logLevel = z.enum(['error', 'warn', 'info', 'debug'], {
  error: 'must be one of error, warn, info, debug',
});

export type Logger = winston.Logger;

/**
 * Creates the log of one app: one JSON object a line on standard output, with the same field names in every app. Callers pass
 * only fields that are safe to keep, without headers, keys or secrets. Except at the level `debug`, repeated failures are counted
 * instead of logged.
 */
export function createLogger(app: string, level: z.infer<typeof logLevel>): Logger {
  return winston.createLogger({
    level,
    defaultMeta: { app },
    format: winston.format.combine(
      ...(level === 'debug' ? [] : [withoutRepeatedFailures()]),
      winston.format.timestamp(),
      winston.format.json(),
      withoutControls(),
    ),
    transports: [new winston.transports.Console()],
  });
}

/** The property under which winston keeps the formatted line. */
const LINE = Symbol.for('message');

/** Escapes the control characters that JSON does not escape, because terminals interpret them. */
const withoutControls = winston.format((info) => {
  info[LINE] = String(info[LINE]).replaceAll(
    /[\u007f-\u009f]/g,
    (control) => `\\u00${control.charCodeAt(0).toString(16)}`,
  );
  return info;
});

const MAX_CAUSES = 5;

/**
 * Returns the log fields of an error and its causes: names, messages and stacks. Other properties are left out, because a library
 * may attach a whole command to its errors, including a password.
 */
export function describeError(error: unknown): { error: string; stack?: string } {
  // Not `instanceof`, which fails for errors of another realm, such as Node's own in a test.
  if (!isError(error)) return { error: typeof error === 'string' ? error : `a thrown ${typeof error}` };
  return { error: `${error.name}: ${toMessage(error)}`, stack: toStack(error, MAX_CAUSES) };
}

/** Node's error for a host with several addresses has no message of its own. */
function toMessage(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message;
  return error.errors.filter(isError).slice(0, MAX_CAUSES).map(toMessage).join('; ');
}

function toStack(error: Error, causesLeft: number): string {
  const own = error.stack ?? `${error.name}: ${error.message}`;
  const causes = [error.cause, ...(error instanceof AggregateError ? (error.errors as unknown[]) : [])]
    .filter(isError)
    .slice(0, causesLeft);
  return [own, ...causes.map((cause) => `caused by ${toStack(cause, causesLeft - 1)}`)].join('\n');
}

function isError(value: unknown): value is Error {
  return types.isNativeError(value);
}

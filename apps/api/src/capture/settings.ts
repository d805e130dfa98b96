import { listenAddress, wholeNumber } from '@deal-signals/runtime/read-environment';
import { z } from 'zod';
import { type CaptureToken, readTokens } from './tokens.ts';

/** How records are taken in over HTTP. */
export interface CaptureSettings {
  /** The address that the port is opened on. */
  host: string;
  /** 0 means any free port. */
  port: number;
  tokens: readonly CaptureToken[];
  /** Requests with records that are handled at the same time. Further ones get a 429. */
  streams: number;
  /** Connections to PostgreSQL, in addition to those of the public API. */
  poolSize: number;
  /** A request of which nothing arrives for this long is ended. */
  idleMs: number;
  /** A response of which nothing is read for this long is cut. */
  stallMs: number;
}

/** The environment variables that say how records are taken in over HTTP; part of the app's configuration. */
export const captureVariables = {
  CAPTURE_PORT: wholeNumber(0, 65_535, 0).unwrap().optional(),
  CAPTURE_HOST: listenAddress,
  CAPTURE_TOKENS: z.string().optional(),
  CAPTURE_STREAMS: wholeNumber(1, 10_000, 100),
  CAPTURE_POOL_SIZE: wholeNumber(1, 100, 4),
  CAPTURE_IDLE_TIMEOUT_MS: wholeNumber(100, 3_600_000, 60_000),
};

const variables = z.object(captureVariables);

/**
 * Turns the environment variables into settings.
 *
 * @param refuse reports a variable that is wrong or missing.
 * @returns null if no port is set, or if it has reported something.
 */
export function captureSettings(
  environment: z.infer<typeof variables>,
  stallMs: number,
  refuse: (name: keyof typeof captureVariables, message: string) => void,
): CaptureSettings | null {
  if (environment.CAPTURE_PORT === undefined) return null;
  const tokens = readTokens(environment.CAPTURE_TOKENS, (message) => refuse('CAPTURE_TOKENS', message));
  if (tokens === null) return null;
  return {
    host: environment.CAPTURE_HOST,
    port: environment.CAPTURE_PORT,
    tokens,
    streams: environment.CAPTURE_STREAMS,
    poolSize: environment.CAPTURE_POOL_SIZE,
    idleMs: environment.CAPTURE_IDLE_TIMEOUT_MS,
    stallMs,
  };
}

import { setting, wholeNumber } from '@deal-signals/runtime/settings';
import { z } from 'zod';
import { type CaptureToken, readTokens } from './tokens.ts';

/** How records are taken in over HTTP. */
export interface CaptureSettings {
  /** The address that the port is opened on: that of the other ports. */
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

const CAPTURE = '[Capture](../capture.md)';

/** The settings that say how records are taken in over HTTP; part of the app's object. */
export const captureVariables = {
  CAPTURE_PORT: wholeNumber({
    min: 0,
    max: 65_535,
    about: `a port of the API that takes in records: see ${CAPTURE}`,
    otherwise: 'records are not taken in over HTTP',
  }),
  CAPTURE_TOKENS: setting(z.string(), {
    about: `the credentials that may send records: see [The capture port](operations.md#the-capture-port)`,
    form: 'separated by commas, each at least 32 characters, or a workspace id, a colon and that',
    otherwise: 'required with `CAPTURE_PORT`',
    isSecret: true,
  }),
};

const variables = z.object(captureVariables);

/** Each holds a batch of at most 1,000 records in memory. A sender needs one or two. */
const STREAMS = 100;
/**
 * Connections for each of the public API: with its 10, these are 4. Transactions of one workspace come one after the other,
 * so only one of them works for a workspace at a time.
 */
const SHARE_OF_POOL = 0.4;
/** A sender may wait for records of its own; proxies end a silent request after as long. */
const IDLE_MS = 60_000;

/**
 * Turns the environment variables into settings.
 *
 * @param shared what follows from settings of the public API: its address, how many connections it has, and when a response is cut.
 * @param onInvalid reports a variable that is wrong or missing.
 * @returns null if no port is set, or if it has reported something.
 */
export function captureSettings(
  environment: z.infer<typeof variables>,
  shared: { host: string; poolSize: number; stallMs: number },
  onInvalid: (name: keyof typeof captureVariables, message: string) => void,
): CaptureSettings | null {
  if (environment.CAPTURE_PORT === undefined) return null;
  const tokens = readTokens(environment.CAPTURE_TOKENS, (message) => onInvalid('CAPTURE_TOKENS', message));
  if (tokens === null) return null;
  return {
    host: shared.host,
    port: environment.CAPTURE_PORT,
    tokens,
    streams: STREAMS,
    poolSize: Math.ceil(shared.poolSize * SHARE_OF_POOL),
    idleMs: IDLE_MS,
    stallMs: shared.stallMs,
  };
}

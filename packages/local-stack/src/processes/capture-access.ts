import { createHmac } from 'node:crypto';
import type { LocalSecrets } from '../files/local-secrets.ts';

/** How records get in over HTTP. */
export interface CaptureAccess {
  /** The value of `CAPTURE_TOKENS`. */
  tokens: string;
  /** One of these tokens, to show. */
  token: string;
}

/**
 * The tokens of the capture port: the given ones, or else one that follows from the checkout's secrets, so that it is the
 * same after every start.
 */
export function captureAccess(given: NodeJS.ProcessEnv, { SECRETS_KEY }: LocalSecrets): CaptureAccess {
  const own = createHmac('sha256', SECRETS_KEY).update('capture token').digest('base64url');
  const tokens = given['CAPTURE_TOKENS'] || own;
  const [first = ''] = tokens.split(',');
  return { tokens, token: first.trim().replace(/^\d+:/, '') };
}

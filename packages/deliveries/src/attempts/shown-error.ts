import type { Transaction } from '@deal-signals/db/database';
import { parseUrl } from '@deal-signals/sending/parse-url';
import { NO_RESPONSE, type SendFailure } from '@deal-signals/sending/send-error';
import type { Attempt } from './begin-attempt.ts';

/** The host and port of an endpoint's URL, in one form for all spellings. */
export function originOf(url: string): string {
  return parseUrl(url)?.host ?? url;
}

/** What admins and keys may read about an attempt. */
export interface Shown {
  /** Why it failed; null if it succeeded. */
  error: string | null;
  /** Null if it would tell what `error` does not. */
  durationMs: number | null;
}

/**
 * Why no response arrived, in words that admins may read, and how long that took.
 *
 * Some of these words tell closed ports from open ones, and so does the duration: a closed port refuses at once, and a
 * filtered one lets the time run out. They are shown only for a host and port that has responded to the workspace over TLS
 * before, because its owner knows that it is there. Otherwise the API would be a port scanner.
 */
export async function shownFailure(
  tx: Transaction,
  { companyId, url }: Pick<Attempt, 'companyId' | 'url'>,
  { error, revealsPort, durationMs }: SendFailure & { durationMs: number },
): Promise<Shown> {
  if (revealsPort !== true) return { error, durationMs };
  const responses = await tx.$queryRaw<unknown[]>`
    SELECT FROM webhook_endpoints
    WHERE company_id = ${companyId} AND responded_origin = ${originOf(url)}
    LIMIT 1`;
  return responses.length > 0 ? { error, durationMs } : { error: NO_RESPONSE, durationMs: null };
}

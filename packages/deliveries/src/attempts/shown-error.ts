import type { Transaction } from '@deal-signals/db/database';
import { parseUrl } from '@deal-signals/sending/parse-url';
import { NO_RESPONSE, type SendFailure } from '@deal-signals/sending/send-error';
import type { Attempt } from './begin-attempt.ts';

/** The host and port of an endpoint's URL, in one form for all spellings. */
export function originOf(url: string): string {
  return parseUrl(url)?.host ?? url;
}

/**
 * Why no response arrived, in words that admins may read.
 *
 * Some of these words tell closed ports from open ones. They are shown only for a host and port that has responded to the
 * workspace over TLS before, because its owner knows that it is there. Otherwise the API would be a port scanner.
 */
export async function shownError(
  tx: Transaction,
  { companyId, url }: Pick<Attempt, 'companyId' | 'url'>,
  { error, revealsPort }: SendFailure,
): Promise<string> {
  if (revealsPort !== true) return error;
  const responses = await tx.$queryRaw<unknown[]>`
    SELECT FROM webhook_endpoints
    WHERE company_id = ${companyId} AND responded_origin = ${originOf(url)}
    LIMIT 1`;
  return responses.length > 0 ? error : NO_RESPONSE;
}

import type { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { parseUrl } from '@deal-signals/sending/guard/parse-url';
import { NO_RESPONSE, type SendFailure } from '@deal-signals/sending/guard/send-error';
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
 * The condition that a host and port has responded to a workspace.
 *
 * The words of some failures tell closed ports from open ones, and so does the duration: a closed port refuses at once, and a
 * filtered one lets the time run out. They are shown only for a host and port that has responded to the workspace over TLS
 * before, because its owner knows that it is there. Otherwise the API would be a port scanner.
 *
 * @param companyId the workspace.
 * @param origin what `originOf` makes of the URL.
 */
export function hasResponded(companyId: Prisma.Sql, origin: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (
    SELECT FROM webhook_endpoints WHERE company_id = ${companyId} AND responded_origin = ${origin})`;
}

/** Why no response arrived, in words that admins may read, and how long that took. */
export async function redactedFailure(
  db: Database,
  { companyId, url }: Pick<Attempt, 'companyId' | 'url'>,
  { error, revealsPort, durationMs }: SendFailure & { durationMs: number },
): Promise<Shown> {
  if (revealsPort !== true) return { error, durationMs };
  const [{ isKnown }] = await db.$queryRaw<[{ isKnown: boolean }]>`
    SELECT ${hasResponded(Prisma.sql`${companyId}::int`, Prisma.sql`${originOf(url)}`)} AS "isKnown"`;
  return isKnown ? { error, durationMs } : { error: NO_RESPONSE, durationMs: null };
}

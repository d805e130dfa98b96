import type { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { parseUrl } from '@deal-signals/sending/guard/parse-url';
import { NO_RESPONSE, type SendFailure } from '@deal-signals/sending/guard/send-error';
import type { Attempt } from './begin-attempt.ts';

/** Returns the host and port of an endpoint's URL, normalized. */
export function toOrigin(url: string): string {
  return parseUrl(url)?.host ?? url;
}

/** The part of a failure that admins and API keys may read. */
export interface VisibleFailure {
  /** Why it failed; null if it succeeded. */
  error: string | null;
  /** Null if it would reveal what `error` hides. */
  durationMs: number | null;
}

/**
 * Returns the condition that a host and port has responded to a workspace.
 *
 * The error of an attempt, and its duration, can distinguish closed ports from open ones: a closed port refuses at once, and a
 * filtered one times out. They are shown only for a host and port that has responded to the workspace over TLS before, since its
 * existence is then no secret. Otherwise the API could be used as a port scanner.
 *
 * @param companyId the workspace.
 * @param origin the result of `toOrigin` for the URL.
 */
export function hasResponded(companyId: Prisma.Sql, origin: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (
    SELECT FROM webhook_endpoints WHERE company_id = ${companyId} AND responded_origin = ${origin})`;
}

/** Returns why no response arrived, redacted for admins, and how long the attempt took. */
export async function redactFailure(
  db: Database,
  { companyId, url }: Pick<Attempt, 'companyId' | 'url'>,
  { error, revealsPort, durationMs }: SendFailure & { durationMs: number },
): Promise<VisibleFailure> {
  if (revealsPort !== true) return { error, durationMs };
  const [{ isKnown }] = await db.$queryRaw<[{ isKnown: boolean }]>`
    SELECT ${hasResponded(Prisma.sql`${companyId}::int`, Prisma.sql`${toOrigin(url)}`)} AS "isKnown"`;
  return isKnown ? { error, durationMs } : { error: NO_RESPONSE, durationMs: null };
}

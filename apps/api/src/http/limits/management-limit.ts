import type { Response } from 'express';
import { addLimitHeaders, type RateLimit, requireWithin } from './rate-limit.ts';

/** The limits of management requests. */
export interface ManagementLimits {
  /** The limit of one user, or one API key, in one workspace. */
  perUser: RateLimit;
  /** The limit of all users of a workspace together, and of all its API keys together. */
  perWorkspace: RateLimit;
}

/** The sender of a management request, or an assistant with an access token, which has the same limits. */
export interface RateLimitSubject {
  companyId: number;
  /** Identifies the user, the key or the assistant across the whole Redis. */
  caller: string;
  /** Each kind is counted separately, so that runaway automations cannot keep an admin from revoking their key. */
  callers: 'user' | 'key' | 'client';
}

/**
 * Counts a request of a user, a key or an assistant, and sets the headers that state how many are left.
 *
 * @throws ApiError RATE_LIMITED with `Retry-After` if the caller has exceeded the limit.
 */
export function countForManager(
  { perUser }: ManagementLimits,
  { caller, callers }: RateLimitSubject,
  response: Response,
): Promise<void> {
  return requireWithin(perUser, `${callers}:${caller}`, `requests of the ${callers}`, (count) =>
    addLimitHeaders(response, callers, perUser, count),
  );
}

/**
 * Counts the same request for the workspace, and adds it to the headers. Requests that exceed the user's limit or lack a
 * permission are not counted here, so one user cannot use up the limit of the others.
 *
 * @throws ApiError RATE_LIMITED with `Retry-After` if the workspace has exceeded the limit.
 */
export function countForWorkspace(
  { perWorkspace }: ManagementLimits,
  { companyId, callers }: RateLimitSubject,
  response: Response,
): Promise<void> {
  const what = `requests of the ${callers}s of the workspace`;
  return requireWithin(perWorkspace, `${callers}s:${companyId}`, what, (count) =>
    addLimitHeaders(response, 'workspace', perWorkspace, count),
  );
}

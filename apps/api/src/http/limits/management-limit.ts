import type { Response } from 'express';
import { ApiError } from '../errors.ts';
import { addLimitHeaders, type Count, type RateLimit, WINDOW_SECONDS } from './rate-limit.ts';

/** The limits of management requests. */
export interface ManagementLimits {
  /** The limit of one user, or one API key, in one workspace. */
  perUser: RateLimit;
  /** The limit of all users of a workspace together, and of all its API keys together. */
  perWorkspace: RateLimit;
}

/** The sender of a management request, or an assistant with an access token, which has the same limits. */
export interface Counted {
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
export async function countForManager(
  { perUser }: ManagementLimits,
  { caller, callers }: Counted,
  response: Response,
): Promise<void> {
  const count = await perUser.count(`${callers}:${caller}`);
  addLimitHeaders(response, callers, perUser, count);
  if (count.isOverLimit) throw tooMany(perUser, count, `the ${callers}`);
}

/**
 * Counts the same request for the workspace, and adds it to the headers. Requests that exceed the user's limit or lack a
 * permission are not counted here, so one user cannot use up the limit of the others.
 *
 * @throws ApiError RATE_LIMITED with `Retry-After` if the workspace has exceeded the limit.
 */
export async function countForWorkspace(
  { perWorkspace }: ManagementLimits,
  { companyId, callers }: Counted,
  response: Response,
): Promise<void> {
  const count = await perWorkspace.count(`${callers}s:${companyId}`);
  addLimitHeaders(response, 'workspace', perWorkspace, count);
  if (count.isOverLimit) throw tooMany(perWorkspace, count, `the ${callers}s of the workspace`);
}

function tooMany({ perMinute }: RateLimit, { resetSeconds }: Count, whose: string): ApiError {
  return new ApiError(
    'RATE_LIMITED',
    `more than ${perMinute} requests of ${whose} in ${WINDOW_SECONDS} seconds`,
    { headers: { 'Retry-After': String(resetSeconds) } },
  );
}

import type { Response } from 'express';
import { ApiError } from '../errors.ts';
import { type Count, type RateLimit, WINDOW_SECONDS } from './rate-limit.ts';

/** The limits of management requests. */
export interface ManagementLimits {
  /** The limit of one user, or one API key, in one workspace. */
  perUser: RateLimit;
  /** The limit of all users of a workspace together, and of all its API keys together. */
  perWorkspace: RateLimit;
}

/** The sender of a management request. */
export interface Counted {
  companyId: number;
  /** Identifies the user or the key across the whole Redis. */
  caller: string;
  /** Users and keys are counted separately, so that runaway automations cannot keep an admin from revoking their key. */
  callers: 'user' | 'key';
}

/**
 * Counts a management request of a user or a key, and sets the headers that state how many are left.
 *
 * @returns the caller's remaining requests, for `countForWorkspace`.
 * @throws ApiError RATE_LIMITED with `Retry-After` if the caller has exceeded the limit.
 */
export async function countForManager(
  { perUser }: ManagementLimits,
  { caller, callers }: Counted,
  response: Response,
): Promise<Count> {
  const count = await perUser.count(`${callers}:${caller}`);
  setHeaders(response, perUser, count);
  if (count.isOverLimit) throw tooMany(perUser, count, `the ${callers}`);
  return count;
}

/**
 * Counts the same request for the workspace. If the workspace has fewer requests left than the user, the headers then describe
 * the workspace. Requests that exceed the user's limit or lack a permission are not counted here, so one user cannot use up the
 * limit of the others.
 *
 * @throws ApiError RATE_LIMITED with `Retry-After` if the workspace has exceeded the limit.
 */
export async function countForWorkspace(
  { perWorkspace }: ManagementLimits,
  { companyId, callers }: Counted,
  ofManager: Count,
  response: Response,
): Promise<void> {
  const count = await perWorkspace.count(`${callers}s:${companyId}`);
  if (count.isOverLimit || count.remaining < ofManager.remaining) setHeaders(response, perWorkspace, count);
  if (count.isOverLimit) throw tooMany(perWorkspace, count, `the ${callers}s of the workspace`);
}

function setHeaders(response: Response, { perMinute }: RateLimit, count: Count): void {
  response.set('X-Management-RateLimit-Limit', String(perMinute));
  response.set('X-Management-RateLimit-Remaining', String(count.remaining));
  response.set('X-Management-RateLimit-Reset', String(count.resetSeconds));
}

function tooMany({ perMinute }: RateLimit, { resetSeconds }: Count, whose: string): ApiError {
  return new ApiError(
    'RATE_LIMITED',
    `more than ${perMinute} management requests of ${whose} in ${WINDOW_SECONDS} seconds`,
    { headers: { 'Retry-After': String(resetSeconds) } },
  );
}

import { ApiError } from '../errors.ts';

/**
 * Lets only workspaces pass that have the API. It stands behind authentication: whoever has no good credential does not
 * learn whether a workspace has it.
 *
 * @throws ApiError FEATURE_NOT_ENABLED.
 */
export function requireFeature(company: { apiEnabled: boolean }): void {
  if (!company.apiEnabled) {
    throw new ApiError('FEATURE_NOT_ENABLED', 'the integration API is not enabled for this workspace');
  }
}

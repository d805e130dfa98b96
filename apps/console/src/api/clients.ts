import createFetchClient, { type Middleware } from 'openapi-fetch';
import createClient from 'openapi-react-query';
import { currentToken, endSession } from '../session/session.ts';
import { ApiFailure, UnreachableFailure } from './failures.ts';
import type { paths as ConsolePaths } from './generated/console.ts';
import type { paths as IntegrationPaths } from './generated/integration.ts';

/** Adds the session token to each request, and throws an `ApiFailure` for unsuccessful responses. */
const session: Middleware = {
  onRequest({ request }) {
    const token = currentToken();
    // A request that checks an offered session carries its own token.
    if (token !== null && !request.headers.has('Authorization'))
      request.headers.set('Authorization', `Bearer ${token}`);
    return request;
  },
  async onResponse({ request, response }) {
    if (response.ok || response.status === 304) return response;
    const failure = await ApiFailure.of(response);
    // An error for a former token says nothing about the current one.
    const isCurrent = request.headers.get('Authorization') === `Bearer ${currentToken()}`;
    if (failure.code === 'SESSION_INVALID' && isCurrent) endSession();
    throw failure;
  },
  onError({ error }) {
    // An aborted request is not a network failure.
    if (error instanceof DOMException && error.name === 'AbortError') return error;
    return new UnreachableFailure(error);
  },
};

/** Calls the console's own operations: `/console/api`. */
const consoleFetch = createFetchClient<ConsolePaths>({ baseUrl: '/console/api' });
/** Calls the management operations: `/api/v1`. */
const integrationFetch = createFetchClient<IntegrationPaths>({ baseUrl: '/api/v1' });
consoleFetch.use(session);
integrationFetch.use(session);

/** Hooks for the operations below `/console/api`. */
export const consoleApi = createClient(consoleFetch);
/** Hooks for the management operations below `/api/v1`. */
export const integrationApi = createClient(integrationFetch);
/** Single requests to `/console/api`, for data that no component reads. */
export { consoleFetch, integrationFetch };

import createFetchClient, { type Middleware } from 'openapi-fetch';
import createClient from 'openapi-react-query';
import { currentToken, endSession } from '../session/session.ts';
import { ApiFailure, UnreachableFailure } from './failures.ts';
import type { paths as ConsolePaths } from './generated/console.ts';
import type { paths as IntegrationPaths } from './generated/integration.ts';

/** Adds the session to each request, and turns unsuccessful responses into errors. */
const session: Middleware = {
  onRequest({ request }) {
    const token = currentToken();
    // The session of a link that is not accepted yet is read with its own token.
    if (token !== null && !request.headers.has('Authorization'))
      request.headers.set('Authorization', `Bearer ${token}`);
    return request;
  },
  async onResponse({ request, response }) {
    if (response.ok || response.status === 304) return response;
    const failure = await ApiFailure.of(response);
    // The rejection of an earlier token does not concern the current one.
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

/** The client of what the console reads: `/console/api`. */
const consoleFetch = createFetchClient<ConsolePaths>({ baseUrl: '/console/api' });
/** The client of the management of keys and endpoints: `/api/v1`. */
const integrationFetch = createFetchClient<IntegrationPaths>({ baseUrl: '/api/v1' });
consoleFetch.use(session);
integrationFetch.use(session);

/** Hooks for the operations below `/console/api`. */
export const consoleApi = createClient(consoleFetch);
/** Hooks for the management operations below `/api/v1`. */
export const managementApi = createClient(integrationFetch);
/** Single requests to `/console/api`, outside of components. */
export { consoleFetch, integrationFetch };

import createFetchClient, { type Middleware } from 'openapi-fetch';
import createClient from 'openapi-react-query';
import { currentToken, endSession } from '../session/session.ts';
import { ApiFailure, UnreachableFailure } from './failures.ts';
import type { paths as ConsolePaths } from './generated/console.ts';
import type { paths as IntegrationPaths } from './generated/integration.ts';

/** Adds the session to each request, and turns what is no success into an error that says what went wrong. */
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
    // The refusal of a former token says nothing about this one.
    const isCurrent = request.headers.get('Authorization') === `Bearer ${currentToken()}`;
    if (failure.code === 'SESSION_INVALID' && isCurrent) endSession();
    throw failure;
  },
  onError({ error }) {
    // A request that was given up is no failure of the network.
    if (error instanceof DOMException && error.name === 'AbortError') return error;
    return new UnreachableFailure(error);
  },
};

/** What the console reads: `/console/api`. */
const consoleFetch = createFetchClient<ConsolePaths>({ baseUrl: '/console/api' });
/** The management of keys and endpoints: `/api/v1`. */
const integrationFetch = createFetchClient<IntegrationPaths>({ baseUrl: '/api/v1' });
consoleFetch.use(session);
integrationFetch.use(session);

/** Hooks for the operations below `/console/api`. */
export const consoleApi = createClient(consoleFetch);
/** Hooks for the management operations below `/api/v1`. */
export const managementApi = createClient(integrationFetch);
/** Single requests to `/console/api`, for what is not read by a component. */
export { consoleFetch, integrationFetch };

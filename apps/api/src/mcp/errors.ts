import type { ErrorRequestHandler } from 'express';
import type { OAuthSettings } from '../auth/oauth-settings.ts';
import { type ApiError, type ErrorCode, toApiError } from '../http/errors.ts';
import { addLogFields } from '../http/request-log.ts';
import { errorHeaders } from './resource-metadata.ts';

/** The JSON-RPC 2.0 error codes of requests. */
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;
/** The first of the codes that JSON-RPC reserves for servers. */
const SERVER_ERROR = -32_000;

/** Tells a model how to react to an error. */
const ADVICE: Record<ErrorCode, string> = {
  INVALID_REQUEST: 'Correct it and call again.',
  INVALID_CURSOR:
    'Pass the nextCursor of an earlier result of this tool unchanged, or omit cursor to begin again.',
  API_KEY_INVALID:
    'Tell the user: the API key or the sign-in is missing or wrong, was revoked or has expired. An admin can create another key.',
  SESSION_INVALID: 'Tell the user: an API key is needed.',
  PERMISSION_DENIED:
    'Tell the user: an admin can create an API key that allows it. Other tools may work with this one.',
  FEATURE_NOT_ENABLED: 'Tell the user: the API has to be switched on for the company.',
  NOT_FOUND:
    'The workspace has no such object. Take the id from another result, for example of find_rooms or list_calls.',
  METHOD_NOT_ALLOWED: 'Send JSON-RPC messages with POST.',
  INVALID_STATE: 'Read the object again.',
  PAYLOAD_TOO_LARGE: 'Send shorter arguments.',
  RATE_LIMITED: 'Then call again, and ask for more records in fewer calls.',
  INTERNAL_ERROR: 'Try once more; if it fails again, tell the user.',
  SERVICE_UNAVAILABLE: 'Then call again.',
};

/** Describes an error to a model: the stable code, what is wrong, and what to do. */
export function errorText({ code, message, headers }: ApiError): string {
  const seconds = headers['Retry-After'];
  const wait = seconds === undefined ? '' : ` Wait ${seconds} seconds.`;
  return `${code}: ${message}.${wait} ${ADVICE[code]}`;
}

/**
 * Reports whether an error is returned as the result of a tool, because the model can act on it, with other arguments or without
 * this tool. The others concern the whole connection, and are responses with their own HTTP status, as elsewhere in the API.
 */
export function isForModel({ status }: ApiError): boolean {
  return status === 400 || status === 403 || status === 404;
}

/** The body of a 406 response. */
export const NOT_ACCEPTABLE = {
  jsonrpc: '2.0',
  id: null,
  error: { code: SERVER_ERROR, message: 'Accept: must allow application/json, the type of every response' },
};

/** Responds with a JSON-RPC error. Its `data` has the code of the API. The internal cause is logged and never sent. */
export const createMcpErrorHandler =
  (oauth: OAuthSettings | null): ErrorRequestHandler =>
  (thrown, _request, response, next) => {
    const error = toApiError(thrown);
    addLogFields(response, { errorCode: error.code, cause: error.cause });
    if (response.headersSent) {
      next(thrown);
      return;
    }
    response
      .status(error.status)
      .set(errorHeaders(error, oauth))
      .json({
        jsonrpc: '2.0',
        id: null,
        error: { code: rpcCodeOf(error), message: errorText(error), data: { code: error.code } },
      });
  };

function rpcCodeOf({ status }: ApiError): number {
  if (status === 400) return INVALID_REQUEST;
  return status === 500 ? INTERNAL_ERROR : SERVER_ERROR;
}

import type { ErrorCode } from '../http/errors.ts';

/** For each code: its meaning, the right reaction of a program, and an example of the message and the field. */
export const ERROR_TEXTS: Record<
  ErrorCode,
  { meaning: string; remedy: string; message: string; field?: string }
> = {
  INVALID_REQUEST: {
    meaning:
      'A parameter or a field of the body is invalid. `field` and the message name it, and the message says what is allowed.',
    remedy: 'correct the request; do not repeat it unchanged',
    message: 'limit: must be a whole number from 1 to 500',
    field: 'limit',
  },
  INVALID_CURSOR: {
    meaning: 'The cursor was not issued by this endpoint.',
    remedy: 'find out where it came from, or start again without a cursor',
    message: 'cursor: must be a nextCursor returned by this endpoint',
    field: 'cursor',
  },
  API_KEY_INVALID: {
    meaning: 'The API key is missing, malformed, unknown, revoked or expired.',
    remedy: 'stop; get a new key',
    message: 'a valid API key is required',
  },
  SESSION_INVALID: {
    meaning: 'The session token is missing, malformed, wrongly signed, expired or not yet valid.',
    remedy: 'sign in again',
    message: 'a valid admin session token is required',
  },
  PERMISSION_DENIED: {
    meaning:
      'The session lacks the permission `integrations.crm`; or the API key lacks the scope of the operation, or must not be used from this network.',
    remedy: 'ask an admin',
    message: 'the session needs the permission integrations.crm',
  },
  FEATURE_NOT_ENABLED: {
    meaning: 'The API is not enabled for the workspace.',
    remedy: 'stop; ask us',
    message: 'the integration API is not enabled for this workspace',
  },
  NOT_FOUND: {
    meaning:
      'The id is unknown or malformed, or belongs to another workspace. The response is the same in all three cases.',
    remedy: 'stop asking for this id',
    message: 'not found',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path does not allow this method.',
    remedy: 'correct the program; `Allow` names the methods',
    message: 'this path allows only GET, HEAD',
  },
  INVALID_STATE: {
    meaning:
      'The current state of the object does not allow the operation, or the workspace has the maximum number of such objects.',
    remedy: 'read the object again, or remove another one, then decide',
    message: 'a delivered delivery cannot be retried',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body is larger than 100 KiB.',
    remedy: 'send less',
    message: 'body: must not be larger than 100 KiB',
  },
  RATE_LIMITED: {
    meaning:
      'The key, the user or the workspace has exceeded a limit, or too many of their requests are in progress. Wait for the number of seconds in `Retry-After`.',
    remedy: 'wait for the number of seconds in `Retry-After`, then continue',
    message: 'more than 300 requests in 60 seconds',
  },
  INTERNAL_ERROR: {
    meaning: 'An error on our side. The request id identifies it in our logs.',
    remedy: 'retry a few times with increasing delays; then send us the request id',
    message: 'an internal error occurred',
  },
  SERVICE_UNAVAILABLE: {
    meaning:
      'The database is temporarily unavailable, or the process that handles the request is starting or shutting down.',
    remedy: 'wait for the number of seconds in `Retry-After`, then continue',
    message: 'the service is temporarily unavailable; try again later',
  },
};

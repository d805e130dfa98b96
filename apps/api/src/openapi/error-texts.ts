import type { ErrorCode } from '../http/errors.ts';

/** What each code means to a caller, and a message that comes with it. */
export const ERROR_TEXTS: Record<ErrorCode, { meaning: string; message: string }> = {
  INVALID_REQUEST: {
    meaning: 'A parameter or a field of the body is not as documented; the message names it.',
    message: 'limit: must be a whole number from 1 to 500',
  },
  INVALID_CURSOR: {
    meaning: 'The cursor is not one that this endpoint has given.',
    message: 'cursor: must be a nextCursor of this endpoint',
  },
  API_KEY_INVALID: {
    meaning: 'There is no API key, or it is malformed, unknown or revoked.',
    message: 'a valid API key is required',
  },
  SESSION_INVALID: {
    meaning: 'There is no session token, or it is malformed, wrongly signed, expired or not yet valid.',
    message: 'a valid admin session token is required',
  },
  PERMISSION_DENIED: {
    meaning: 'The session lacks the permission `integrations.crm`.',
    message: 'the session needs the permission integrations.crm',
  },
  FEATURE_NOT_ENABLED: {
    meaning: 'The workspace does not have the API.',
    message: 'the integration API is not enabled for this workspace',
  },
  NOT_FOUND: {
    meaning: "The id is unknown, malformed or another workspace's: these look the same.",
    message: 'not found',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path does not take this method.',
    message: 'this path takes GET, HEAD',
  },
  INVALID_STATE: {
    meaning: 'What the operation is about is in a state that does not allow it.',
    message: 'a delivered delivery cannot be retried',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body is larger than 100 KiB.',
    message: 'body: must not be larger than 100 KiB',
  },
  RATE_LIMITED: {
    meaning: 'The key has used up its window; waiting as long as `Retry-After` says is enough.',
    message: 'more than 300 requests in 60 seconds',
  },
  INTERNAL_ERROR: {
    meaning: 'Our fault; the request id finds it in our log.',
    message: 'an internal error occurred',
  },
  SERVICE_UNAVAILABLE: {
    meaning: 'The database is out of reach for the moment, or the process that took the request is ending.',
    message: 'the service is temporarily unavailable, try again later',
  },
};

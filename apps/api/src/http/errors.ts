import { isDatabaseUnavailable } from '@deal-signals/db/database-errors';
import type { ErrorRequestHandler } from 'express';
import { note } from './request-log.ts';

/** Every code an error body can carry, and the HTTP status that goes with it. */
export const STATUS_OF_CODE = {
  INVALID_REQUEST: 400,
  INVALID_CURSOR: 400,
  API_KEY_INVALID: 401,
  SESSION_INVALID: 401,
  PERMISSION_DENIED: 403,
  FEATURE_NOT_ENABLED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  INVALID_STATE: 409,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

/** A stable, machine-readable error code. */
export type ErrorCode = keyof typeof STATUS_OF_CODE;

const UNAVAILABLE_RETRY_SECONDS = 5;

/** An answer other than the one asked for. Its message is for the caller; the cause is for the log only. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = STATUS_OF_CODE[code];
    this.headers = options.headers ?? {};
  }
}

/**
 * The one 404 of the API. An id that is unknown, malformed or another workspace's must not be told apart, so there is
 * nothing here to choose.
 */
export function notFound(): ApiError {
  return new ApiError('NOT_FOUND', 'not found');
}

/** Input that is not as documented; the message begins with the name of the field. */
export function invalidRequest(message: string): ApiError {
  return new ApiError('INVALID_REQUEST', message);
}

/** What is asked for cannot be done in the state that its object is in. */
export function invalidState(message: string): ApiError {
  return new ApiError('INVALID_STATE', message);
}

/** The service cannot do its work at the moment; the same request may well succeed soon. */
export function unavailable(message: string, cause?: unknown): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', message, {
    headers: { 'Retry-After': String(UNAVAILABLE_RETRY_SECONDS) },
    cause,
  });
}

/** Turns whatever was thrown while a request was answered into the error to answer with. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  // The router could not decode a path parameter: an id that is none.
  if (thrown instanceof URIError) return notFound();
  const bodyError = fromBodyParser(thrown);
  if (bodyError !== null) return bodyError;
  if (isDatabaseUnavailable(thrown)) {
    return unavailable('the service is temporarily unavailable, try again later', thrown);
  }
  return new ApiError('INTERNAL_ERROR', 'an internal error occurred', { cause: thrown });
}

/** What the body parser throws carries a `type` and the status it would have answered with. */
function fromBodyParser(thrown: unknown): ApiError | null {
  if (typeof thrown !== 'object' || thrown === null || !('status' in thrown)) return null;
  const { status } = thrown;
  if (typeof status !== 'number' || status < 400 || status > 499) return null;
  const type = 'type' in thrown ? thrown.type : undefined;
  if (type === 'entity.too.large') {
    return new ApiError('PAYLOAD_TOO_LARGE', 'body: must not be larger than 100 KiB');
  }
  if (type === 'entity.parse.failed') return invalidRequest('body: must be valid JSON');
  if (type === 'charset.unsupported') return invalidRequest('body: must be encoded in UTF-8');
  if (type === 'encoding.unsupported') {
    return invalidRequest('body: Content-Encoding must be gzip, deflate, br or identity');
  }
  return new ApiError('INVALID_REQUEST', 'body: must be readable to its end', { cause: thrown });
}

/** Answers with the one error body of the API. What went wrong inside goes to the log, never into the body. */
export const errorHandler: ErrorRequestHandler = (thrown, _request, response, next) => {
  const error = toApiError(thrown);
  note(response, { errorCode: error.code, cause: error.cause });
  if (response.headersSent) {
    // Too late for another answer: Express cuts the connection, so that half an answer does not look whole.
    next(thrown);
    return;
  }
  response.status(error.status).set(error.headers).json({ error: error.message, code: error.code });
};

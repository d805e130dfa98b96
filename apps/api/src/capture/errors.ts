import { databaseFailure, LOCK_NOT_AVAILABLE } from '@deal-signals/db/database-errors';
import type { ErrorRequestHandler } from 'express';
import { addLogFields } from '../http/request-log.ts';
import { discardRest } from './discard-rest.ts';

/** Every error code of this port, with its HTTP status. */
export const STATUS_OF_CAPTURE_CODE = {
  INVALID_REQUEST: 400,
  CAPTURE_TOKEN_INVALID: 401,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type CaptureErrorCode = keyof typeof STATUS_OF_CAPTURE_CODE;

const RETRY_SECONDS = '1';

/** A failed request: an error response, or the last line of a response that has begun. */
export class CaptureError extends Error {
  readonly code: CaptureErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: CaptureErrorCode,
    message: string,
    options: { headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = STATUS_OF_CAPTURE_CODE[code];
    const isTemporary = code === 'SERVICE_UNAVAILABLE' || code === 'RATE_LIMITED';
    this.headers = { ...(isTemporary && { 'Retry-After': RETRY_SECONDS }), ...options.headers };
  }
}

/** Converts anything that was thrown while a request was handled. */
export function toCaptureError(thrown: unknown): CaptureError {
  if (thrown instanceof CaptureError) return thrown;
  const failure = databaseFailure(thrown);
  if (failure?.isTemporary === true) {
    const message =
      failure.sqlState === LOCK_NOT_AVAILABLE
        ? 'the workspace is busy; try again later'
        : 'the database is unavailable; try again later';
    return new CaptureError('SERVICE_UNAVAILABLE', message, { cause: thrown });
  }
  return new CaptureError('INTERNAL_ERROR', 'an internal error occurred', { cause: thrown });
}

/** Responds with the error. Its cause is logged and never sent. */
export const captureErrorHandler: ErrorRequestHandler = (thrown, request, response, next) => {
  const error = toCaptureError(thrown);
  addLogFields(response, { errorCode: error.code, cause: error.cause });
  if (response.headersSent) {
    next(thrown);
    return;
  }
  response.status(error.status).set(error.headers).json({ error: error.message, code: error.code });
  discardRest(request);
};

import { databaseFailure } from '@deal-signals/db/database-errors';
import { UnreadableSecretError } from '@deal-signals/sending/secrets/encrypted-text';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { addLogFields } from './request-log.ts';

/** Every code that an error body can contain, with its HTTP status. */
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

/** An error response. The message is sent to the caller; the cause is only logged. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** The single invalid input: a query parameter, or the path of a property of the body. Null if several inputs are involved. */
  readonly field: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether this service accepted the credential in the past, although it does not any more. */
  readonly isCallerKnown: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      field?: string;
      headers?: Record<string, string>;
      isCallerKnown?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = STATUS_OF_CODE[code];
    this.field = options.field ?? null;
    this.headers = options.headers ?? {};
    this.isCallerKnown = options.isCallerKnown ?? false;
  }
}

/**
 * Returns the API's only 404. It takes no message, because callers must not be able to distinguish an unknown id from a malformed
 * one or from one of another workspace.
 */
export function notFound(): ApiError {
  return new ApiError('NOT_FOUND', 'not found');
}

/**
 * Checks that the API is enabled for a workspace. Called after authentication, so that callers without a valid credential cannot
 * find out whether a workspace uses the API.
 *
 * @throws ApiError FEATURE_NOT_ENABLED.
 */
export function requireFeature(company: { apiEnabled: boolean }): void {
  if (!company.apiEnabled) {
    throw new ApiError('FEATURE_NOT_ENABLED', 'the integration API is not enabled for this workspace');
  }
}

/**
 * Returns the error for a request that is invalid as a whole, or whose inputs are invalid together. The message states what is
 * allowed.
 */
export function invalidRequest(message: string): ApiError {
  return new ApiError('INVALID_REQUEST', message);
}

/**
 * Returns the error for one invalid input.
 *
 * @param field a query parameter, or the path of a property of the body, such as `headers.X-Tenant`.
 * @param problem what is allowed, such as "must be a UUID".
 */
export function invalidField(
  field: string,
  problem: string,
  code: 'INVALID_REQUEST' | 'INVALID_CURSOR' = 'INVALID_REQUEST',
): ApiError {
  return new ApiError(code, `${field}: ${problem}`, { field });
}

/** Returns the error for an operation that the current state of the object does not allow. */
export function invalidState(message: string): ApiError {
  return new ApiError('INVALID_STATE', message);
}

/** Returns the error for a request that exceeds a limit, which the message states. */
export function rateLimited(message: string, retryAfterSeconds: number): ApiError {
  return new ApiError('RATE_LIMITED', message, { headers: { 'Retry-After': String(retryAfterSeconds) } });
}

/** Returns a handler for the methods that a path does not have. */
export function refuseMethods(allowed: string): RequestHandler {
  return () => {
    throw new ApiError('METHOD_NOT_ALLOWED', `this path allows only ${allowed}`, {
      headers: { Allow: allowed },
    });
  };
}

/** Rejects requests that no other handler serves. */
export const refusePath: RequestHandler = () => {
  throw notFound();
};

/** Rejects requests that do not read. */
export const readsOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') next();
  else refuseMethods('GET, HEAD')(request, response, next);
};

/** Returns the error for a request that the service cannot handle now. The same request may succeed soon. */
export function unavailable(message: string, cause?: unknown): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', message, {
    headers: { 'Retry-After': String(UNAVAILABLE_RETRY_SECONDS) },
    cause,
  });
}

/** Converts anything that was thrown while a request was handled into the error to respond with. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  // The router could not decode a path parameter, so the id is invalid.
  if (thrown instanceof URIError) return notFound();
  // This process lacks an encryption key that other processes have. The operator has to configure it.
  if (databaseFailure(thrown)?.isTemporary === true || thrown instanceof UnreadableSecretError) {
    return unavailable('the service is temporarily unavailable; try again later', thrown);
  }
  return new ApiError('INTERNAL_ERROR', 'an internal error occurred', { cause: thrown });
}

/** The body of an error response. */
export function errorBody({ message, code, field }: ApiError): object {
  return { error: message, code, ...(field !== null && { field }) };
}

/** Responds with the API's error body. The internal cause is logged and never sent. */
export const errorHandler: ErrorRequestHandler = (thrown, _request, response, next) => {
  const error = toApiError(thrown);
  addLogFields(response, { errorCode: error.code, cause: error.cause });
  if (response.headersSent) {
    // Too late for an error response. Express closes the connection, so that the partial response does not look complete.
    next(thrown);
    return;
  }
  response.status(error.status).set(error.headers).json(errorBody(error));
};

import type { ErrorRequestHandler } from 'express';
import { toApiError } from './errors.ts';
import { note } from './request-log.ts';

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

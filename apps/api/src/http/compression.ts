import compression from 'compression';
import type { RequestHandler } from 'express';

/** A smaller answer fits into a few packets anyway. */
const THRESHOLD_BYTES = 4096;
/** Most of what can be saved, for a third of the time that the default takes. */
const GZIP_LEVEL = 4;

/**
 * Compresses large answers for whoever asks for it. What must not be stored carries secrets, and the length of a
 * compressed secret tells of it, so that is left alone.
 */
export function compressLargeAnswers(): RequestHandler {
  return compression({
    threshold: THRESHOLD_BYTES,
    level: GZIP_LEVEL,
    filter: (request, response) =>
      response.getHeader('Cache-Control') !== 'no-store' && compression.filter(request, response),
  });
}

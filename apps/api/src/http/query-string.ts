import { parse, type ParsedUrlQuery } from 'node:querystring';
import { invalidRequest } from './errors.ts';

/** Several times what any operation takes. Node's parser would drop all parameters after the 1,000th without a word. */
export const MOST_PARAMETERS = 100;

/**
 * Parses the query of a URL. A parameter that is given several times has an array of values.
 *
 * @throws ApiError INVALID_REQUEST if there are more than 100 parameters, known or unknown.
 */
export function parseQueryString(query: string | null): ParsedUrlQuery {
  const text = query ?? '';
  if (text.split('&').length > MOST_PARAMETERS) {
    throw invalidRequest(`query: must not have more than ${MOST_PARAMETERS} parameters`);
  }
  return parse(text);
}

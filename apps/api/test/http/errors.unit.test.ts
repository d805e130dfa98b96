import { expect, test } from '@jest/globals';
import { toApiError } from '../../src/http/errors.ts';

test.each([
  ['an error with a status', Object.assign(new Error('the receiver said no'), { status: 404 })],
  [
    'an error with the type of a body',
    Object.assign(new Error('x'), { status: 413, type: 'entity.too.large' }),
  ],
  ['an object', { status: 400 }],
])('%s that is not an error of the request is logged as an internal fault', (_what, thrown) => {
  expect(toApiError(thrown)).toMatchObject({ code: 'INTERNAL_ERROR', status: 500, cause: thrown });
});

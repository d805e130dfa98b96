import { type OnError, ON_ERROR } from '@deal-signals/capture/capture-options';
import { z } from 'zod';
import { CaptureError } from './errors.ts';

/** The parameters of `POST /records`. */
export const captureParameters = z.strictObject({
  onError: z
    .enum(ON_ERROR)
    .default('stop')
    .meta({
      description:
        'What happens after a record is refused. `stop`: what came before it is captured, and the rest is not read. ' +
        '`continue`: it is left out, and the others are captured',
    }),
  dryRun: z.enum(['true', 'false']).default('false').meta({
    description: 'Whether to check the records as if they were captured, and to store nothing',
  }),
});

/**
 * Reads the parameters. An unknown one is refused: if `dryRun` is misspelt, the records must not be stored.
 *
 * @throws CaptureError INVALID_REQUEST.
 */
export function readParameters(query: object): { onError: OnError; dryRun: boolean } {
  const result = captureParameters.safeParse(query);
  if (result.success) return { onError: result.data.onError, dryRun: result.data.dryRun === 'true' };
  const [issue] = result.error.issues;
  throw new CaptureError('INVALID_REQUEST', `${issue?.path.join('.') || 'query'}: ${issue?.message}`);
}

import { type CaptureOptions, ON_ERROR } from '@deal-signals/capture/stream/capture-options';
import { z } from 'zod';
import { CaptureError } from './errors.ts';

/** The parameters of `POST /records`. */
export const captureParameters = z.strictObject({
  onError: z
    .enum(ON_ERROR)
    .default('stop')
    .meta({
      description:
        'What happens after a record is rejected. `stop`: the records before it are captured, and the rest is not read. ' +
        '`continue`: the record is skipped, and the others are captured',
    }),
  dryRun: flag(
    'Whether to store nothing: all records are validated, and the first 1,000 of each workspace are checked as if they were captured',
  ),
  lenient: flag('Whether to ignore fields that no record of the kind has; otherwise they are errors'),
  noWebhooks: flag(
    'Whether to send no webhooks for the changes, as for an import of history; the feeds return the changes in any case',
  ),
});

function flag(description: string) {
  return z.enum(['true', 'false']).default('false').meta({ description });
}

/**
 * Reads the parameters. Unknown parameters are rejected: if `dryRun` is misspelled, the records must not be stored.
 *
 * @throws CaptureError INVALID_REQUEST.
 */
export function readParameters(query: object): Required<CaptureOptions> {
  const result = captureParameters.safeParse(query);
  if (result.success) {
    const { onError, dryRun, lenient, noWebhooks } = result.data;
    return {
      onError,
      dryRun: dryRun === 'true',
      lenient: lenient === 'true',
      noWebhooks: noWebhooks === 'true',
    };
  }
  const [issue] = result.error.issues;
  throw new CaptureError('INVALID_REQUEST', `${issue?.path.join('.') || 'query'}: ${issue?.message}`);
}

import { isStorable } from '@deal-signals/db/storable-text';
import type {
  DeadLetterPosition,
  DeadLetterSelection,
  MovedDeadLetters,
} from '@deal-signals/deliveries/requests/dead-letters';
import { MOST_RETRIED } from '@deal-signals/deliveries/requests/retry';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import { z } from 'zod';
import { WITHOUT_NUL } from '../../http/input.ts';

const MOST_IDS = 500;
const IDS_FORM = `must be an array of 1 to ${MOST_IDS} ids of deliveries, as strings`;
const MOST_ERROR_CHARACTERS = 1_000;
const ERROR_FORM = `must be null or a string of 1 to ${MOST_ERROR_CHARACTERS} characters`;
const ERROR_PARAMETER_FORM = `must be a text of at most ${MOST_ERROR_CHARACTERS} characters`;
const CURSOR_FORM = 'must be the `nextCursor` of the previous call';
const LIMIT_FORM = `must be a whole number from 1 to ${MOST_RETRIED}`;

/** The times that dead letters may be selected by, in a body and in a query. */
const selectionTimes = {
  since: dateTimeInput
    .optional()
    .meta({ description: 'Only deliveries of events created at or after this time' }),
  before: dateTimeInput
    .optional()
    .meta({ description: 'Only deliveries of events created before this time' }),
};

/** What dead letters may be selected by in a query, which cannot say null. */
export const selectionParameters = {
  ...selectionTimes,
  error: z
    .string()
    .max(MOST_ERROR_CHARACTERS, ERROR_PARAMETER_FORM)
    .refine(isStorable, ERROR_PARAMETER_FORM)
    .transform((error) => (error === '' ? null : error))
    .optional()
    .meta({
      description:
        'Only deliveries with this `lastError`. An empty value selects those whose `lastError` is null',
      pattern: WITHOUT_NUL,
    }),
};

/** The body of `POST /webhooks/{id}/retry-dead` and `POST /webhooks/{id}/dismiss-dead`. */
export const deadLetterSelection = z.object({
  ...selectionTimes,
  error: z
    .string(ERROR_FORM)
    .min(1, ERROR_FORM)
    .max(MOST_ERROR_CHARACTERS, ERROR_FORM)
    .refine(isStorable, ERROR_FORM)
    .meta({ pattern: WITHOUT_NUL })
    .nullable()
    .optional()
    .meta({ description: 'Only deliveries with this `lastError`; null selects those without one' }),
  deliveryIds: z
    .array(z.string(IDS_FORM).regex(/^[1-9][0-9]{0,17}$/, IDS_FORM), IDS_FORM)
    .min(1, IDS_FORM)
    .max(MOST_IDS, IDS_FORM)
    .optional()
    .meta({
      description:
        'Only these deliveries. Ids of other deliveries than dead ones of the endpoint are ignored',
    }),
  limit: z
    .int(LIMIT_FORM)
    .min(1, LIMIT_FORM)
    .max(MOST_RETRIED, LIMIT_FORM)
    .optional()
    .meta({ description: 'Maximum number of deliveries of this call. A smaller one shows progress sooner' }),
  cursor: z
    .string(CURSOR_FORM)
    .regex(/^[0-9]{1,13}-[0-9]{1,18}$/, CURSOR_FORM)
    .optional()
    .meta({ description: 'The `nextCursor` of the previous call, to continue after it' }),
});

/** How a call that moves dead letters answers. */
export const nextCursor = z.string().nullable().meta({
  description:
    'Where the next call continues: behind the deliveries of this one, even if some are dead again by then. Null if nothing is left',
});

/** What a body selects, and how many deliveries at most, if it says that. */
export function readSelection({
  limit,
  deliveryIds,
  cursor,
  ...filters
}: z.output<typeof deadLetterSelection>): {
  selection: DeadLetterSelection;
  limit: number | undefined;
} {
  const after = cursor === undefined ? undefined : positionOf(cursor);
  return { selection: { ...filters, deliveryIds: deliveryIds?.map(BigInt), after }, limit };
}

/** The response to a call that has moved dead letters. */
export function serializeMoved({ count, last }: MovedDeadLetters) {
  return { count, nextCursor: last === null ? null : `${last.createdAt.getTime()}-${last.id}` };
}

function positionOf(cursor: string): DeadLetterPosition {
  const [milliseconds = '', id = ''] = cursor.split('-');
  return { createdAt: new Date(Number(milliseconds)), id: BigInt(id) };
}

/** What the audit log records of a selection. */
export function auditedSelection({ since, before, error, deliveryIds }: DeadLetterSelection) {
  return {
    ...(since && { since: since.toISOString() }),
    ...(before && { before: before.toISOString() }),
    ...(error !== undefined && { error }),
    ...(deliveryIds && { deliveryIds: deliveryIds.map(String) }),
  };
}

import type { Transaction } from '@deal-signals/db/database';
import { isStorable } from '@deal-signals/db/storable-text';
import type {
  DeadLetterPosition,
  DeadLetterSelection,
  MovedDeadLetters,
} from '@deal-signals/deliveries/admin-actions/dead-letters';
import { MAX_RETRIED } from '@deal-signals/deliveries/admin-actions/retry';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import type { AuditAction } from '@deal-signals/serializers/management/audit-record';
import { z } from 'zod';
import { integerPath, WITHOUT_NUL } from '../../http/input.ts';
import { adminOperation } from '../../http/route.ts';
import { inManagementTransaction } from '../management-transaction.ts';
import { doneOrThrow } from './send-delivery.ts';

const MAX_IDS = 500;
const IDS_MESSAGE = `must be an array of 1 to ${MAX_IDS} ids of deliveries, as strings`;
const MAX_ERROR_CHARACTERS = 1_000;
const ERROR_MESSAGE = `must be null or a string of 1 to ${MAX_ERROR_CHARACTERS} characters`;
const ERROR_PARAMETER_MESSAGE = `must be a text of at most ${MAX_ERROR_CHARACTERS} characters`;
const CURSOR_MESSAGE = 'must be the `nextCursor` of the previous call';
const LIMIT_MESSAGE = `must be a whole number from 1 to ${MAX_RETRIED}`;

/** The times that select dead letters, in a body and in a query. */
const selectionTimes = {
  since: dateTimeInput
    .optional()
    .meta({ description: 'Only deliveries of events created at or after this time' }),
  before: dateTimeInput
    .optional()
    .meta({ description: 'Only deliveries of events created before this time' }),
};

/** The selection of dead letters in a query, which has no null. */
export const selectionParameters = {
  ...selectionTimes,
  error: z
    .string()
    .max(MAX_ERROR_CHARACTERS, ERROR_PARAMETER_MESSAGE)
    .refine(isStorable, ERROR_PARAMETER_MESSAGE)
    .transform((error) => (error === '' ? null : error))
    .optional()
    .meta({
      description:
        'Only deliveries with this `lastError`. An empty value selects those whose `lastError` is null',
      pattern: WITHOUT_NUL,
    }),
};

/** The body of `POST /webhooks/{id}/retry-dead` and `POST /webhooks/{id}/dismiss-dead`. */
const deadLetterSelection = z.object({
  ...selectionTimes,
  error: z
    .string(ERROR_MESSAGE)
    .min(1, ERROR_MESSAGE)
    .max(MAX_ERROR_CHARACTERS, ERROR_MESSAGE)
    .refine(isStorable, ERROR_MESSAGE)
    .meta({ pattern: WITHOUT_NUL })
    .nullable()
    .optional()
    .meta({ description: 'Only deliveries with this `lastError`; null selects those without one' }),
  deliveryIds: z
    .array(z.string(IDS_MESSAGE).regex(/^[1-9][0-9]{0,17}$/, IDS_MESSAGE), IDS_MESSAGE)
    .min(1, IDS_MESSAGE)
    .max(MAX_IDS, IDS_MESSAGE)
    .optional()
    .meta({
      description:
        'Only these deliveries. Ids that do not belong to dead deliveries of the endpoint are ignored',
    }),
  limit: z.int(LIMIT_MESSAGE).min(1, LIMIT_MESSAGE).max(MAX_RETRIED, LIMIT_MESSAGE).optional().meta({
    description: 'Maximum number of deliveries of this call. A smaller number shows progress sooner',
  }),
  cursor: z
    .string(CURSOR_MESSAGE)
    .regex(/^[0-9]{1,13}-[0-9]{1,18}$/, CURSOR_MESSAGE)
    .optional()
    .meta({ description: 'The `nextCursor` of the previous call, to continue after it' }),
});

/** An operation on the dead letters of an endpoint. */
interface DeadLetterMove {
  operationId: string;
  summary: string;
  description: string;
  bodyExample: object;
  /** The description of the number of deliveries in the response. */
  counted: string;
  /** The error for a removed endpoint, if it differs from the default that nothing is sent any more. */
  ifRemoved?: string;
  action: AuditAction;
  /** The time that the audit record always contains, even if the body does not. */
  auditedTime: 'since' | 'before';
  move: (
    tx: Transaction,
    companyId: number,
    endpointId: number,
    selection: DeadLetterSelection,
    limit: number | undefined,
  ) => Promise<MovedDeadLetters | 'unknown' | 'endpoint removed'>;
}

/** Creates an operation on the dead letters of an endpoint, oldest first, or on those that its body selects. */
export function moveDeadLetters({
  counted,
  ifRemoved,
  action,
  auditedTime,
  move,
  ...described
}: DeadLetterMove) {
  return adminOperation({
    ...described,
    tag: 'Webhook deliveries',
    params: integerPath,
    body: deadLetterSelection,
    isBodyOptional: true,
    response: z.object({
      count: z.int().meta({ description: counted }),
      nextCursor: z.string().nullable().meta({
        description:
          'The cursor of the next call. It continues after the deliveries of this one, even if some are dead again by then. Null if nothing is left',
      }),
    }),
    example: { count: 1, nextCursor: null },
    errors: ['INVALID_STATE'],
    async handler(request, { db }) {
      const { companyId } = request;
      const { id } = request.params;
      const { limit, ...selected } = request.body;
      const selection = selectionOf(selected);
      return inManagementTransaction(db, request, async ({ tx }) => {
        const { count, last } = doneOrThrow(await move(tx, companyId, id, selection, limit), ifRemoved);
        const result = { count, nextCursor: last === null ? null : `${last.createdAt.getTime()}-${last.id}` };
        if (count === 0) return { result, audit: null };
        const details = { count, [auditedTime]: null, ...auditedSelection(selection) };
        return { result, audit: { action, objectType: 'webhook', objectId: id, details } };
      });
    },
  });
}

function selectionOf({
  deliveryIds,
  cursor,
  ...filters
}: Omit<z.output<typeof deadLetterSelection>, 'limit'>): DeadLetterSelection {
  const after = cursor === undefined ? undefined : positionOf(cursor);
  return { ...filters, deliveryIds: deliveryIds?.map(BigInt), after };
}

function positionOf(cursor: string): DeadLetterPosition {
  const [milliseconds = '', id = ''] = cursor.split('-');
  return { createdAt: new Date(Number(milliseconds)), id: BigInt(id) };
}

/** Returns the selection for the audit log. */
function auditedSelection({ since, before, error, deliveryIds }: DeadLetterSelection) {
  return {
    ...(since && { since: since.toISOString() }),
    ...(before && { before: before.toISOString() }),
    ...(error !== undefined && { error }),
    ...(deliveryIds && { deliveryIds: deliveryIds.map(String) }),
  };
}

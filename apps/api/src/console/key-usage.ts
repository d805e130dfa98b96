import { DAYS_KEPT, findKeyUsage, keyUsageList } from '@deal-signals/serializers/console/key-usage';
import { z } from 'zod';
import { integerId } from '../http/input.ts';
import { dataOperation } from '../http/route.ts';

const DEFAULT_DAYS = 30;
const DAYS_FORM = `must be a whole number from 1 to ${DAYS_KEPT}`;

const query = z.object({
  days: z
    .string()
    .regex(/^\d{1,2}$/, DAYS_FORM)
    .transform(Number)
    .refine((days) => days >= 1 && days <= DAYS_KEPT, DAYS_FORM)
    .default(DEFAULT_DAYS)
    .meta({
      description: 'Number of days, ending today',
      override: {
        type: 'integer',
        minimum: 1,
        maximum: DAYS_KEPT,
        default: DEFAULT_DAYS,
        pattern: undefined,
      },
    }),
  key_id: integerId.optional().meta({ description: 'Only this API key' }),
});

/** `GET /api-key-usage`: the number of requests of each API key of the workspace by day. */
export const listKeyUsage = dataOperation({
  operationId: 'listKeyUsage',
  tag: 'Console',
  summary: 'Count the requests of API keys by day',
  description:
    'Returns the number of requests with each API key on each day in UTC, regardless of the response, and how many of them got a 403 or a 429. Unused keys are left out. The counts may be up to a minute old.',
  query,
  response: keyUsageList,
  example: {
    days: ['2026-09-09', '2026-09-10'],
    data: [{ keyId: 1, requests: [1440, 512], refused: [0, 3], totalRequests: 1952, totalRefused: 3 }],
  },
  handler: ({ companyId, query: { days, key_id: keyId } }, { db }) =>
    findKeyUsage(db, companyId, { days, keyId, now: new Date() }),
});

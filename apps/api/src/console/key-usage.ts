import { DAYS_KEPT, findKeyUsage, keyUsageList } from '@deal-signals/serializers/console/key-usage';
import { z } from 'zod';
import { countTo, integerId } from '../http/input.ts';
import { dataOperation } from '../http/route.ts';

const DEFAULT_DAYS = 30;

const query = z.object({
  days: countTo(DAYS_KEPT, DEFAULT_DAYS, 'Number of days, ending today'),
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

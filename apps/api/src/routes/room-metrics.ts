import { buildRoomMetrics } from '@deal-signals/serializers/room-metrics/build';
import { findRoomMetrics } from '@deal-signals/serializers/room-metrics/rows';
import { roomMetrics } from '@deal-signals/serializers/room-metrics/schema';
import { z } from 'zod';
import { roomMetricsExample } from '@deal-signals/serializers/examples/room-metrics';
import { notFound } from '../http/errors.ts';
import { uuidPath } from '../http/input.ts';
import { dataOperation } from '../http/route.ts';

/** `GET /decision-rooms/{id}/metrics`: the current metrics of a room. */
export const getRoomMetrics = dataOperation({
  operationId: 'getRoomMetrics',
  tag: 'Decision Rooms',
  summary: 'Get the metrics of a Decision Room',
  description: 'Returns what happened in the room and who did it, aggregated at the time of the request.',
  params: uuidPath,
  response: z.object({ data: roomMetrics }),
  example: { data: roomMetricsExample },
  async handler({ companyId, params }, { db }) {
    const now = new Date();
    const rows = await findRoomMetrics(db, companyId, params.id, now);
    if (rows === null) throw notFound();
    return { data: await buildRoomMetrics(rows, now) };
  },
});

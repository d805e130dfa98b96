import { buildRoomMetrics } from '@deal-signals/serializers/build-room-metrics';
import { roomMetricsExample } from '@deal-signals/serializers/examples/room-metrics';
import { roomMetrics } from '@deal-signals/serializers/room-metrics';
import { findRoomMetrics } from '@deal-signals/serializers/room-metrics-rows';
import { z } from 'zod';
import { notFound } from '../errors.ts';
import { uuidInPath, uuidPath } from '../input.ts';
import { dataOperation } from '../route.ts';

/** `GET /decision-rooms/{id}/metrics`: what happened in a room, as of now. */
export const getRoomMetrics = dataOperation({
  operationId: 'getRoomMetrics',
  tag: 'Decision Rooms',
  summary: 'Get the metrics of a Decision Room',
  description: 'What happened in the room and who did it, rolled up at the time of the request.',
  params: uuidPath,
  response: z.object({ data: roomMetrics }),
  example: { data: roomMetricsExample },
  async handler({ companyId, params }, { db }) {
    const now = new Date();
    const rows = await findRoomMetrics(db, companyId, uuidInPath(params['id']), now);
    if (rows === null) throw notFound();
    return { data: buildRoomMetrics(rows, now) };
  },
});

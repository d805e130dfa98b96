import { buildRoomMetrics } from '@deal-signals/serializers/build-room-metrics';
import type { RoomMetrics } from '@deal-signals/serializers/room-metrics';
import { findRoomMetrics } from '@deal-signals/serializers/room-metrics-rows';
import { notFound } from '../errors.ts';
import { uuidInPath } from '../input.ts';
import type { DataRequest, Dependencies } from '../route.ts';

/** `GET /decision-rooms/{id}/metrics`: what happened in a room, as of now. */
export async function getRoomMetrics(
  { companyId, params }: DataRequest,
  { db }: Dependencies,
): Promise<{ data: RoomMetrics }> {
  const now = new Date();
  const rows = await findRoomMetrics(db, companyId, uuidInPath(params['id']), now);
  if (rows === null) throw notFound();
  return { data: buildRoomMetrics(rows, now) };
}

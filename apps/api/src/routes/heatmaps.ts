import { findHeatmap, type Heatmap, serializeHeatmap } from '@deal-signals/serializers/heatmap';
import { notFound } from '../errors.ts';
import { uuidInPath } from '../input.ts';
import type { DataRequest, Dependencies } from '../route.ts';

/** `GET /distributions/{id}/heatmap`: where a share link's recording was watched. */
export async function getHeatmap(
  { companyId, params }: DataRequest,
  { db }: Dependencies,
): Promise<{ data: Heatmap }> {
  const row = await findHeatmap(db, companyId, uuidInPath(params['id']));
  if (row === null) throw notFound();
  return { data: serializeHeatmap(row) };
}

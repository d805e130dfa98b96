import { findHeatmap, heatmap, serializeHeatmap } from '@deal-signals/serializers/engagement/heatmap';
import { z } from 'zod';
import { heatmapExample } from '@deal-signals/serializers/examples/heatmap';
import { notFound } from '../http/errors.ts';
import { uuidPath } from '../http/input.ts';
import { dataOperation } from '../http/route.ts';

/** `GET /distributions/{id}/heatmap`: which parts of a share link's recording were watched. */
export const getHeatmap = dataOperation({
  operationId: 'getHeatmap',
  tag: 'Engagement',
  summary: 'Get the heat-map of a share link',
  description:
    'Returns which parts of the recording behind a share link were watched, in at most 200 buckets of equal length; the last one may be shorter. There are no buckets if the link has only documents or if the length of the recording is unknown.',
  params: uuidPath,
  response: z.object({ data: heatmap }),
  example: { data: heatmapExample },
  async handler({ companyId, params }, { db }) {
    const row = await findHeatmap(db, companyId, params.id);
    if (row === null) throw notFound();
    return { data: serializeHeatmap(row) };
  },
});

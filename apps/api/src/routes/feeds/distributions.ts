import { jsonOf } from '@deal-signals/serializers/object-text';
import {
  distribution,
  type DistributionRow,
  findDistributions,
  serializeDistribution,
} from '@deal-signals/serializers/rooms/distribution';
import { distributionExample } from '@deal-signals/serializers/examples/distribution';
import { uuid } from '../../http/input.ts';
import { timeCursors } from '../../http/pagination.ts';
import { feed, readOne } from './feed.ts';

const shown = {
  tag: 'Engagement',
  item: distribution,
  example: distributionExample,
  text: (row: DistributionRow) => jsonOf(serializeDistribution(row)),
} as const;

/** `GET /distributions`: the share links of the workspace, in the order they last changed. */
export const listDistributions = feed({
  ...shown,
  operationId: 'listDistributions',
  summary: 'List share links',
  description:
    'Returns the share links of the workspace, in the order they last changed, with the person that each is currently addressed to. A link whose person or recording changes is returned again at its new position, so store links by `id`.',
  cursors: timeCursors('distributions'),
  sortKey: 'updatedAt',
  updatedSince: 'Only share links that changed at or after this time',
  filters: {
    buyer_space_id: uuid.optional().meta({ description: 'Only share links of this Decision Room' }),
    demo_id: uuid.optional().meta({ description: 'Only share links to this recording' }),
  },
  find: (db, companyId, { buyer_space_id: roomId, demo_id: recordingId, ...page }) =>
    findDistributions(db, companyId, { ...page, roomId, recordingId }),
});

/** `GET /distributions/{id}`: one share link. */
export const getDistribution = readOne({
  ...shown,
  operationId: 'getDistribution',
  summary: 'Get a share link',
  find: (db, companyId, id) => findDistributions(db, companyId, { id, limit: 1 }),
});

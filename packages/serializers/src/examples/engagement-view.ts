import type { EngagementView } from '../engagement/view.ts';
import { roomExample } from './room.ts';

/** A view of three quarters of a recording, with a part watched twice. */
export const engagementViewExample: EngagementView = {
  id: '1789030800000000',
  kind: 'trailer',
  startedAt: '2026-09-02T07:00:00.000Z',
  endedAt: '2026-09-02T07:00:30.000Z',
  actor: {
    name: 'Giulia Tremblay',
    email: 'giulia.tremblay@underhill-tools.example',
  },
  personId: '2d24ed30-b09c-8d5b-bd5d-4b58d1f29b6d',
  distributionId: '75ab4229-e29f-5724-9149-eeadb969b5bb',
  forwardedFromDistributionId: null,
  demoId: '77999ead-81a1-5af9-bad6-fcf85c3c5763',
  demoTitle: 'Stock counts without paper',
  docId: null,
  buyerSpaceId: '5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6',
  buyerSpaceName: roomExample.name,
  owner: roomExample.owner,
  watchSeconds: 24,
  uniqueSeconds: 18,
  durationSeconds: 24,
  completionPercent: 75,
  segments: [
    {
      startSeconds: 0,
      endSeconds: 18,
    },
    {
      startSeconds: 6,
      endSeconds: 12,
    },
  ],
};

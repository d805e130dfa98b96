import type { EngagementEvent } from '../engagement/event.ts';
import { roomExample } from './room.ts';

/** An action through a share link that a colleague forwarded. */
export const engagementEventExample: EngagementEvent = {
  id: '1789030800000000',
  type: 'trailer_view',
  occurredAt: '2026-09-02T08:30:00.000Z',
  actor: {
    name: 'Piet Vos',
    email: 'piet.vos@underhill-tools.example',
  },
  personId: 'ed63d46b-b543-8d6e-8716-2023164f0e0d',
  metadata: {
    device: 'mobile',
  },
  demoId: '77999ead-81a1-5af9-bad6-fcf85c3c5763',
  demoTitle: 'Stock counts without paper',
  distributionId: '7a8f6bbe-7fde-5868-a773-eb85056fca65',
  forwardedFromDistributionId: '75ab4229-e29f-5724-9149-eeadb969b5bb',
  buyerSpaceId: '5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6',
  buyerSpaceName: roomExample.name,
  owner: roomExample.owner,
  docId: null,
};

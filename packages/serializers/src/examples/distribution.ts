import type { Distribution } from '../rooms/distribution.ts';

/** A share link to a recording. */
export const distributionExample: Distribution = {
  id: '75ab4229-e29f-5724-9149-eeadb969b5bb',
  buyerSpaceId: '5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6',
  recipient: { name: 'Giulia Tremblay', email: 'giulia.tremblay@underhill-tools.example' },
  demoId: '77999ead-81a1-5af9-bad6-fcf85c3c5763',
  forwardedFromDistributionId: null,
  updatedAt: '2026-09-10T09:00:00.480Z',
};

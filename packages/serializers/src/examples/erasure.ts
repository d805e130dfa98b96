import type { Erasure } from '../erasures/erasure.ts';
import { distributionExample } from './distribution.ts';
import { engagementEventExample } from './engagement-event.ts';
import { personExample } from './person.ts';
import { roomExample } from './room.ts';

/** The erasure of a person. */
export const erasureExample: Erasure = {
  id: '0d3f6c5a-7a0e-4f0e-9a51-6e1c0c1d7b2f',
  erasureId: '0d3f6c5a-7a0e-4f0e-9a51-6e1c0c1d7b2f',
  kind: 'person',
  buyerSpaceId: null,
  emailSha256: 'e437fe5808d46b3f9bd00bce106219f75e7f67b77fedc092e32b5770cb98fac2',
  personIds: [personExample.id],
  distributionIds: [distributionExample.id],
  engagementEventIds: [engagementEventExample.id],
  engagementViewIds: [],
  engagementBefore: null,
  erasedAt: '2026-09-12T08:00:04.120Z',
};

/** The erasure of a room. */
export const roomErasureExample: Erasure = {
  ...erasureExample,
  id: '5b8d1f0c-3a55-4d6f-8f0f-2c9f7f1e6a11',
  erasureId: '5b8d1f0c-3a55-4d6f-8f0f-2c9f7f1e6a11',
  kind: 'room',
  buyerSpaceId: roomExample.id,
  emailSha256: null,
  engagementEventIds: [],
  engagementBefore: '1789200004120000',
};

import type { Document } from '../rooms/document.ts';

/** A document that the seller shared. */
export const documentExample: Document = {
  id: 'b89b18dd-5fe3-52ee-a695-e1f537e4fba0',
  buyerSpaceId: '5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6',
  title: 'Rollout plan',
  category: 'proposal',
  uploadedByProspect: false,
  libraryAssetId: null,
  updatedAt: '2026-09-10T09:00:00.620Z',
};

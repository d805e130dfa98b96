import type { Person } from '../rooms/person.ts';

/** A person in the People section of a room, whose address is not known. */
export const personExample: Person = {
  id: '181fcc65-9503-8fe7-8e37-4964ff91f005',
  buyerSpaceId: '5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6',
  email: null,
  name: 'Omar Reyes',
  role: 'Economic buyer',
  title: 'CFO',
  inCommittee: true,
  removedAt: null,
  updatedAt: '2026-09-10T09:00:00.410Z',
};

import type { Room } from '../rooms/room.ts';

/** A Decision Room. */
export const roomExample: Room = {
  id: '5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6',
  name: 'Underhill Tools',
  slug: 'underhill-tools',
  status: 'open',
  owner: {
    id: 501,
    name: 'Marta Eklund',
    email: 'marta.eklund@lanternfell.example',
  },
  primaryContactEmail: 'giulia.tremblay@underhill-tools.example',
  expectedCloseDate: '2026-12-18',
  dealValueCents: 5200000,
  sourceCallId: null,
  createdAt: '2026-09-01T14:02:11.000Z',
  lastActivityAt: '2026-09-10T09:00:01.790Z',
  lastEngagementAt: '2026-09-08T15:23:05.000Z',
  closedAt: null,
};

import { jsonOf } from '@deal-signals/serializers/object-text';
import { findPeople, person, type PersonRow, serializePerson } from '@deal-signals/serializers/rooms/person';
import { personExample } from '@deal-signals/serializers/examples/person';
import { uuid } from '../../http/input.ts';
import { timeCursors } from '../../http/pagination.ts';
import { feed, readOne } from './feed.ts';

const shown = {
  tag: 'Decision Rooms',
  item: person,
  example: personExample,
  text: (row: PersonRow) => jsonOf(serializePerson(row)),
} as const;

/** `GET /people`: the stakeholders of the rooms, in the order they last changed. */
export const listPeople = feed({
  ...shown,
  operationId: 'listPeople',
  summary: 'List people',
  description:
    'Returns the stakeholders of all Decision Rooms, in the order they last changed: the people in the People section of a room, those that share links are addressed to, and those who were active. A person who is in several rooms is returned once for each. A person who changes is returned again at a new position, so store people by `id`. What they did is part of the metrics of a room.',
  cursors: timeCursors('people'),
  sortKey: 'updatedAt',
  updatedSince: 'Only people that changed at or after this time',
  filters: {
    buyer_space_id: uuid.optional().meta({ description: 'Only people of this Decision Room' }),
  },
  find: (db, companyId, { buyer_space_id: roomId, ...page }) =>
    findPeople(db, companyId, { ...page, roomId }),
});

/** `GET /people/{id}`: one stakeholder of a room. */
export const getPerson = readOne({
  ...shown,
  operationId: 'getPerson',
  summary: 'Get a person',
  find: (db, companyId, id) => findPeople(db, companyId, { id, limit: 1 }),
});

import { dateTimeInput } from '@deal-signals/serializers/date-time';
import { findPeople, person, serializePerson } from '@deal-signals/serializers/rooms/person';
import { z } from 'zod';
import { cursorIfEmpty } from '../http/empty-page.ts';
import { notFound } from '../http/errors.ts';
import { parseQuery, uuid, uuidInPath, uuidPath } from '../http/input.ts';
import { pageOf, timeCursors, timePageParameters, toPage } from '../http/pagination.ts';
import { dataOperation } from '../http/route.ts';
import { personExample } from '../openapi/examples/person.ts';

const cursors = timeCursors('people');

/** The query parameters of `GET /people`. */
export const listPeopleQuery = z.object({
  ...timePageParameters(cursors),
  updated_since: dateTimeInput
    .optional()
    .meta({ description: 'Only people that changed at or after this time' }),
  buyer_space_id: uuid.optional().meta({ description: 'Only people of this Decision Room' }),
});

/** `GET /people`: the stakeholders of the rooms, in the order they last changed. */
export const listPeople = dataOperation({
  operationId: 'listPeople',
  tag: 'Decision Rooms',
  summary: 'List people',
  description:
    'Returns the stakeholders of all Decision Rooms, in the order they last changed: the people in the People section of a room, those that share links are addressed to, and those who were active. Somebody who is in several rooms is returned once for each. A person who changes is returned again at a new position, so store people by `id`. What they did is part of the metrics of a room.',
  query: listPeopleQuery,
  response: pageOf(person),
  example: {
    data: [personExample],
    nextCursor: cursors.write({ at: new Date(personExample.updatedAt), id: personExample.id }),
    hasMore: true,
  },
  async handler({ companyId, query }, { db }) {
    const { cursor, limit, ...filters } = parseQuery(listPeopleQuery, query);
    const rows = await findPeople(db, companyId, {
      after: cursors.after(cursor, filters.updated_since),
      roomId: filters.buyer_space_id,
      limit: limit + 1,
    });
    const ifEmpty = await cursorIfEmpty(db, rows, cursors, { cursor, since: filters.updated_since });
    return toPage(rows, limit, ifEmpty, serializePerson, ({ updatedAt, id }) =>
      cursors.write({ at: updatedAt, id }),
    );
  },
});

/** `GET /people/{id}`: one stakeholder of a room. */
export const getPerson = dataOperation({
  operationId: 'getPerson',
  tag: 'Decision Rooms',
  summary: 'Get a person',
  params: uuidPath,
  response: z.object({ data: person }),
  example: { data: personExample },
  async handler({ companyId, params }, { db }) {
    const [row] = await findPeople(db, companyId, { id: uuidInPath(params['id']), limit: 1 });
    if (row === undefined) throw notFound();
    return { data: serializePerson(row) };
  },
});

import { isStorable } from '@deal-signals/db/storable-text';
import { findByName, foundObject } from '@deal-signals/serializers/console/search';
import { findByNumber, findByUuid } from '@deal-signals/serializers/console/search-ids';
import { z } from 'zod';
import { countTo, WITHOUT_NUL } from '../http/input.ts';
import { dataOperation } from '../http/route.ts';

const MAX_CHARACTERS = 200;
const FORM = `must be a string of 1 to ${MAX_CHARACTERS} characters`;
const MAX_FOUND = 20;
/** A UUID anywhere in a text, such as a pasted URL, with or without hyphens. Trace ids have none. */
const UUID = /\b([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\b/;
const NUMBER = /^#?([1-9]\d{0,17})$/;

/** The query parameters of `GET /search`. */
const searchQuery = z.object({
  q: z.string(FORM).trim().min(1, FORM).max(MAX_CHARACTERS, FORM).refine(isStorable, FORM).meta({
    description: 'Words of a name, title or address, or parts of them, in any order; or an id',
    pattern: WITHOUT_NUL,
  }),
  limit: countTo(MAX_FOUND, MAX_FOUND, 'Maximum number of objects'),
});

/** `GET /search`: finds rooms, calls and people by name, and objects by id. */
export const search = dataOperation({
  operationId: 'search',
  tag: 'Console',
  summary: 'Find rooms, calls and people by name, and anything by its id',
  description:
    'Finds rooms by name, calls by title or prospect, and people by name or address. Words match in any order, ignoring case and accents. Three or more letters match anywhere in a word, fewer letters match the beginning of a word. A UUID, which may be part of a pasted text, finds the room, call, person, share link or event with that id; a number finds the endpoint or delivery. The best matches come first: whole words before beginnings before other parts, rooms before calls before people, then the newest. If a search has only very common words, some matches may be missing.',
  query: searchQuery,
  response: z.object({ data: z.array(foundObject) }),
  example: {
    data: [
      {
        kind: 'room',
        id: '5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6',
        title: 'Underhill Tools',
        subtitle: 'open',
        roomId: '5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6',
        callId: null,
        email: null,
      },
      {
        kind: 'person',
        id: 'd8e8fca2-dc0f-896d-a7cb-4cb0031ba249',
        title: 'Giulia Tremblay',
        subtitle: 'giulia.tremblay@underhill-tools.example · Underhill Tools',
        roomId: '5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6',
        callId: null,
        email: 'giulia.tremblay@underhill-tools.example',
      },
    ],
  },
  async handler({ companyId, query: { q, limit } }, { db }) {
    const uuid = UUID.exec(q.toLowerCase());
    if (uuid !== null) {
      const found = await findByUuid(db, companyId, uuid.slice(1).join('-'));
      return { data: found.slice(0, limit) };
    }
    const number = NUMBER.exec(q)?.[1];
    const numbered = number === undefined ? [] : await findByNumber(db, companyId, BigInt(number));
    const named = await findByName(db, companyId, q, limit);
    return { data: [...numbered, ...named].slice(0, limit) };
  },
});

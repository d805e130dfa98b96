import { erasure, findErasures, withoutEmailHash } from '@deal-signals/serializers/erasures/erasure';
import { erasureExample } from '@deal-signals/serializers/examples/erasure';
import { z } from 'zod';
import { allowsEmailHash } from '../../auth/scopes.ts';
import { cursorIfEmpty } from '../../http/empty-page.ts';
import { pageOf, timeCursors, timePageParameters } from '../../http/pagination.ts';
import { jsonPage } from '../../http/responses/json-text.ts';
import { keyOperation } from '../../http/route.ts';

const cursors = timeCursors('erasures');

/** `GET /erasures`: what was erased, for systems that keep copies. */
export const listErasures = keyOperation({
  operationId: 'listErasures',
  tag: 'Erasures',
  summary: 'List erasures',
  description:
    'Returns what was erased in the workspace, in the order in which the erasures finished. A system that keeps copies follows this feed and erases the same data in them: see the guide on erasure. The feed contains no names. Keys with neither of the scopes `read:rooms` and `read:engagement` get null as `emailSha256`.',
  query: z.object(timePageParameters(cursors)),
  response: pageOf(erasure),
  example: {
    data: [erasureExample],
    nextCursor: cursors.write({ at: new Date(erasureExample.erasedAt), id: erasureExample.id }),
    hasMore: true,
  },
  async handler({ companyId, key, query }, { db }) {
    const { cursor, limit } = query;
    const showsHash = allowsEmailHash(key.scopes);
    const rows = await findErasures(db, companyId, {
      after: cursors.after(cursor, undefined),
      limit: limit + 1,
    });
    const ifEmpty = await cursorIfEmpty(db, rows, cursors, { cursor, since: undefined });
    return jsonPage(
      rows,
      limit,
      ifEmpty,
      ({ text }) => (showsHash ? text : withoutEmailHash(text)),
      ({ erasedAt, id }) => cursors.write({ at: erasedAt, id }),
    );
  },
});

import { findNamedRooms } from '@deal-signals/serializers/named-objects';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { openTestApi, sessionToken, type TestApi } from '../../test-api.ts';
import { explain, explainGeneric, recordQueries, type Plan, type Statement } from './query-plan.ts';

const LOAD_TIMEOUT_MS = 900_000;
const BIG = 1;
const SMALL = 500;
/** Number of names of a kind that a search examines for each of the three ways in which a word can match. */
const MAX_CANDIDATES = 1_000;
const NAMES = 3 * 3 * MAX_CANDIDATES;

let api: TestApi;
let client: Client;

// A million names: 900,000 of a workspace, and 100 of each of 1,000 others. Some words are in all names, which is the worst case.
// There are no objects with these names, which are looked up by their keys.
beforeAll(async () => {
  api = await openTestApi();
  client = new Client({ connectionString: api.database.url, options: '-c timezone=UTC' });
  await client.connect();
  await addCompany(api.db, BIG);
  await addCompany(api.db, SMALL);
  const { rows } = await client.query<{ name: string; definition: string }>(`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE tablename = 'search_names' AND indexdef LIKE '%gin%'`);
  const [index] = rows as [{ name: string; definition: string }];
  await client.query(`DROP INDEX ${index.name}`);
  await client.query(`
    INSERT INTO search_names (company_id, kind, object_id, name)
    SELECT CASE WHEN n % 10 = 0 THEN 2 + n / 10 % 1000 ELSE ${BIG} END, 1 + n % 3, gen_random_uuid(),
           ' person ' || md5(n::text) || ' p' || n || ' example corp com '
    FROM generate_series(1, 1000000) AS n`);
  await client.query(index.definition);
  await client.query('VACUUM (ANALYZE)');
}, LOAD_TIMEOUT_MS);

afterAll(async () => {
  await client.end();
  await api.close();
});

test.each([
  // [workspace, search, maximum number of rows, maximum number of pages]
  ['the only one of a word', BIG, 'p777777', 5_000, 10_000],
  ['a word that begins like many', BIG, 'p7777', 5_000, 15_000],
  ['a word that all names have', BIG, 'example', 2 * NAMES, 60_000],
  ['a part that all names have', BIG, 'xampl', 2 * NAMES, 60_000],
  ['one letter', BIG, 'p', 2 * NAMES, 60_000],
  ['two words, one of them common', BIG, 'p777777 example', 5_000, 10_000],
  ['a word that all names have, also those of other workspaces', SMALL, 'example', 1_000, 2_500],
  ['a part that all names have, also those of other workspaces', SMALL, 'xampl', 1_000, 2_500],
  ['one letter that all names have, also those of other workspaces', SMALL, 'p', 1_000, 2_500],
  ['a word that only another workspace has', SMALL, 'p777777', 1_000, 2_500],
])('finds %s through an index (workspace %d, "%s")', async (_, companyId, q, max, pages) => {
  const statements = await recordQueries(async () => {
    await api.get(`/console/api/search?q=${q}`, sessionToken({ companyId })).expect(200);
  }, /^\s*SELECT kind/);
  expect(statements).toHaveLength(1);
  const plan = await explain(client, statements[0] as Statement);
  expect(problemsOf(plan, max, pages)).toBe('');
});

// The statement is short, so it is prepared, and may get one plan for all words.
test.each([
  ['p777777', 1, 2_000, 4_000],
  ['xampl', MAX_CANDIDATES, 4_000, 8_000],
])('finds rooms by the name "%s" through an index', async (name, found, max, pages) => {
  const [, statement, ...more] = await recordQueries(async () => {
    expect(await findNamedRooms(api.db, BIG, name, MAX_CANDIDATES)).toHaveLength(found);
  });
  expect(more).toEqual([]);
  expect(problemsOf(await explain(client, statement as Statement), max, pages)).toBe('');
  const generic = await explainGeneric(client, statement as Statement);
  expect(generic.text).toContain('search_names_company_id_kind_name_idx');
});

function problemsOf({ seqScans, rowsRead, buffers, text }: Plan, max: number, pages: number): string {
  if (!seqScans.includes('search_names') && rowsRead <= max && buffers <= pages) return '';
  return `${rowsRead} rows, ${buffers} pages\n${text}`;
}

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '../../src/migrations/migrate.ts';
import { readMigrations } from '../../src/migrations/migration-files.ts';
import { createEmptyDatabase, type EmptyDatabase } from './empty-database.ts';
import { migrationsFolder } from './migrations-folder.ts';

// The migrations that give share links, documents, contracts and people their positions, with rows from before them.

const FIRST = '20261126000000';
const ROOM = '00000000-0000-4000-8000-000000000001';
/** Clocks can be ahead of the system's. */
const AHEAD = '2099-01-01T00:00:00.000Z';

let database: EmptyDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
  const earlier = (await readMigrations()).filter(({ name }) => name < FIRST);
  const folder = await migrationsFolder(Object.fromEntries(earlier.map(({ name, sql }) => [name, sql])));
  await migrate(database.url, { folder });
  await database.query(`
    INSERT INTO companies (id, name) VALUES (1, 'Acme'), (2, 'Other');
    INSERT INTO feed_clocks (company_id, at) VALUES (1, 'epoch'), (2, '${AHEAD}');
    INSERT INTO rooms (company_id, id, name, created_at, last_activity_at)
    SELECT c, '${ROOM}', 'Globex', 'epoch', 'epoch' FROM generate_series(1, 2) c;
    INSERT INTO room_members (company_id, room_id, identity, email, role)
    VALUES (1, '${ROOM}', 'email:bob@globex.example', 'Bob@globex.example', 'Champion');
    INSERT INTO distributions (company_id, id, room_id, recipient_name, recipient_email)
    SELECT c, gen_random_uuid(), '${ROOM}', name, email
    FROM generate_series(1, 2) c, (VALUES ('Bob', 'bob@globex.example'), ('Desk', NULL)) AS r (name, email);
    INSERT INTO documents (company_id, id, room_id, title, category)
    VALUES (1, '${ROOM}', '${ROOM}', 'Pricing', 'pricing');
    INSERT INTO esign_documents (company_id, id, room_id, vendor, envelope_id, status)
    VALUES (1, 'c', '${ROOM}', 'v', 'e', 'sent')`);
  await migrate(database.url);
});
afterAll(() => database.drop());

test('every row has a position, and whatever is written later comes after it', async () => {
  const tables = ['distributions', 'documents', 'esign_documents', 'people'];
  for (const table of tables) {
    const [row] = await database.query<{ rows: number; late: number; ahead: Date }>(`
      SELECT count(*)::int AS rows, count(*) FILTER (WHERE updated_at > at)::int AS late, max(at) AS ahead
      FROM ${table} JOIN feed_clocks USING (company_id)`);
    expect([table, row?.late]).toEqual([table, 0]);
    expect(row?.rows).toBeGreaterThan(0);
  }
  const clocks = await database.query<{ at: Date }>('SELECT at FROM feed_clocks ORDER BY company_id');
  expect(clocks[1]?.at.toISOString()).toBe(AHEAD);
  expect(clocks[0]?.at.getTime()).toBeGreaterThan(Date.parse('2026-01-01'));
});

test('the people are those of the People section and those that share links are addressed to', async () => {
  const people = await database.query(`
    SELECT company_id, email, name, role, in_committee, removed_at FROM people ORDER BY company_id, name`);
  expect(people).toEqual([
    {
      company_id: 1,
      email: 'bob@globex.example',
      name: 'Bob',
      role: 'Champion',
      in_committee: true,
      removed_at: null,
    },
    { company_id: 1, email: null, name: 'Desk', role: null, in_committee: false, removed_at: null },
    {
      company_id: 2,
      email: 'bob@globex.example',
      name: 'Bob',
      role: null,
      in_committee: false,
      removed_at: null,
    },
    { company_id: 2, email: null, name: 'Desk', role: null, in_committee: false, removed_at: null },
  ]);
});

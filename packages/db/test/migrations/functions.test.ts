import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { migrate } from '../../src/migrations/migrate.ts';
import { MIGRATIONS_FOLDER } from '../../src/migrations/migration-files.ts';
import { createEmptyDatabase, type EmptyDatabase } from './empty-database.ts';

// The functions and triggers of a migrated database are those of prisma/sql, and each stands in one file.

const FOLDER = path.join(path.dirname(MIGRATIONS_FOLDER), 'sql');

let database: EmptyDatabase;
let client: Client;
let scripts: string[];

beforeAll(async () => {
  database = await createEmptyDatabase();
  await migrate(database.url);
  const files = (await readdir(FOLDER)).toSorted();
  scripts = await Promise.all(files.map((file) => readFile(path.join(FOLDER, file), 'utf8')));
});
beforeEach(async () => {
  client = new Client({ connectionString: database.url });
  await client.connect();
  // A function may call one of a file that comes later.
  await client.query('BEGIN; SET LOCAL check_function_bodies = off');
});
afterEach(() => client.end());
afterAll(() => database.drop());

/** All functions and triggers: what they are called, what creates them, and who may call them. */
async function definitions(): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    SELECT p.oid::regprocedure::text AS name,
           concat_ws(E'\\n', pg_get_functiondef(p.oid), p.proacl) AS definition
    FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT concat(tgname, ' on ', tgrelid::regclass), pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal`);
  return Object.fromEntries(rows.map(({ name, definition }) => [name, definition]));
}

test('applying the files changes nothing', async () => {
  const migrated = await definitions();
  expect(Object.keys(migrated).length).toBeGreaterThan(10);
  for (const script of scripts) await client.query(script);
  expect(await definitions()).toEqual(migrated);
});

test('the files alone give all of them, and none twice', async () => {
  const migrated = await definitions();
  await client.query(`
    DO $$
    DECLARE
      routine regprocedure;
    BEGIN
      FOR routine IN SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace LOOP
        IF EXISTS (SELECT FROM pg_proc WHERE oid = routine) THEN
          EXECUTE 'DROP FUNCTION ' || routine || ' CASCADE';
        END IF;
      END LOOP;
    END $$`);
  expect(await definitions()).toEqual({});
  for (const script of scripts) await client.query(script.replaceAll('CREATE OR REPLACE', 'CREATE'));
  expect(await definitions()).toEqual(migrated);
});

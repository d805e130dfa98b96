import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { migrate } from '../../src/migrations/migrate.ts';
import { readScripts } from '../../src/migrations/schema-files.ts';
import { createEmptyDatabase, type EmptyDatabase } from './empty-database.ts';
import { schemaFolder } from './schema-folder.ts';

let database: EmptyDatabase;

beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.drop());

const TABLE = { '20260101000000_table': 'CREATE TABLE rooms (id int, name text);' };

/** A script that creates a function, which returns a constant. */
const returns = (name: string, value: string, header = '') =>
  `${header}CREATE OR REPLACE FUNCTION ${name}() RETURNS text LANGUAGE sql RETURN ${value};\n`;

/** Migrates the database to these files. @returns the names of what was applied. */
const apply = async (
  migrations: Record<string, string>,
  scripts: Record<string, string>,
  patienceMs?: number,
) =>
  migrate(database.url, {
    folder: await schemaFolder(migrations, scripts),
    ...(patienceMs !== undefined && { patienceMs }),
  });

/** Calls a function. */
const call = async (name: string) =>
  (await database.query<{ value: string }>(`SELECT ${name}() AS value`))[0]?.value;

/** Whether a function belongs to an extension. */
const OF_EXTENSION = `EXISTS (
  SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e')`;

/**
 * Returns all functions and triggers of a database, except those of extensions: their name, their definition, and who may call
 * them.
 */
async function definitions(client: Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    SELECT oid::regprocedure::text AS name, concat_ws(E'\\n', pg_get_functiondef(oid), proacl) AS definition
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND NOT ${OF_EXTENSION}
    UNION ALL
    SELECT concat(tgname, ' on ', tgrelid::regclass), pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL
    SELECT viewname, definition FROM pg_views WHERE schemaname = 'public'`);
  return Object.fromEntries(rows.map(({ name, definition }) => [name, definition]));
}

describe('the scripts of the product', () => {
  let client: Client;

  beforeEach(async () => {
    await migrate(database.url);
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('BEGIN');
  });
  afterEach(() => client.end());

  test('can be applied again without any change', async () => {
    const migrated = await definitions(client);
    expect(Object.keys(migrated).length).toBeGreaterThan(10);
    for (const { sql } of await readScripts()) await client.query(sql);
    expect(await definitions(client)).toEqual(migrated);
  });

  test('create all functions, triggers and views, each once', async () => {
    const migrated = await definitions(client);
    await client.query(`
      DO $$
      DECLARE
        routine regprocedure;
        shown regclass;
      BEGIN
        FOR shown IN SELECT oid FROM pg_class WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace LOOP
          EXECUTE 'DROP VIEW ' || shown;
        END LOOP;
        FOR routine IN SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND NOT ${OF_EXTENSION} LOOP
          IF EXISTS (SELECT FROM pg_proc WHERE oid = routine) THEN
            EXECUTE 'DROP FUNCTION ' || routine || ' CASCADE';
          END IF;
        END LOOP;
      END $$`);
    expect(await definitions(client)).toEqual({});
    for (const { sql } of await readScripts()) {
      await client.query(sql.replaceAll('CREATE OR REPLACE', 'CREATE'));
    }
    expect(await definitions(client)).toEqual(migrated);
  });
});

describe('a script', () => {
  test('is applied after the migrations, and again only when its content has changed', async () => {
    const scripts = {
      'a.sql': returns('a', `'old'`),
      'b.sql': returns('b', '(SELECT count(*) FROM rooms)::text'),
    };
    expect(await apply(TABLE, scripts)).toEqual(['20260101000000_table', 'a.sql', 'b.sql']);
    expect(await apply(TABLE, scripts)).toEqual([]);
    expect(await apply(TABLE, { ...scripts, 'a.sql': returns('a', `'new'`) })).toEqual(['a.sql']);
    expect([await call('a'), await call('b')]).toEqual(['new', '0']);
  });

  test('is applied again when a former version of it returns, as after a rollback of a release', async () => {
    const [old, later] = [{ 'a.sql': returns('a', `'old'`) }, { 'a.sql': returns('a', `'new'`) }];
    await apply(TABLE, old);
    await apply(TABLE, later);
    expect(await apply(TABLE, old)).toEqual(['a.sql']);
    expect(await call('a')).toBe('old');
    expect(await apply(TABLE, old)).toEqual([]);
  });

  test('is the same with other line endings', async () => {
    const sql = returns('a', `'one\ntwo'`);
    await apply(TABLE, { 'a.sql': sql });
    expect(await apply(TABLE, { 'a.sql': sql.replaceAll('\n', '\r\n') })).toEqual([]);
  });

  test('is applied again after a migration that dropped its objects, even if that run was interrupted', async () => {
    const scripts = { 'a.sql': returns('a', '(SELECT max(id) FROM rooms)::text') };
    const wider = {
      ...TABLE,
      '20260102000000_wider': 'DROP FUNCTION a; ALTER TABLE rooms ALTER COLUMN id TYPE bigint;',
    };
    await apply(TABLE, scripts);
    await apply(wider, {});
    await expect(call('a')).rejects.toThrow('function a() does not exist');
    expect(await apply(wider, scripts)).toEqual(['a.sql']);
    expect(await call('a')).toBeNull();
  });

  test('is applied after its dependencies, and otherwise in the order of the names', async () => {
    const scripts = {
      'a.sql': returns('a', 'c() || b()', '-- What a is.\n-- after: c.sql, b.sql\n'),
      'b.sql': returns('b', 'd()', '-- after: d.sql\n'),
      'c.sql': returns('c', `'c'`),
      'd.sql': returns('d', `'d'`),
    };
    expect(await apply({ ...TABLE }, scripts)).toEqual([
      '20260101000000_table',
      'c.sql',
      'd.sql',
      'b.sql',
      'a.sql',
    ]);
    expect(await call('a')).toBe('cd');
  });

  test.each([
    [{ 'a.sql': '-- after: b.sql\n' }, /^a\.sql comes after b\.sql, which does not exist$/],
    [
      { 'a.sql': '-- after: b.sql\n', 'b.sql': '-- after: a.sql\n' },
      /^Scripts come after each other: a\.sql, b\.sql, a\.sql$/,
    ],
  ])('that cannot be put into an order is rejected: %j', async (scripts, message) => {
    await expect(apply(TABLE, scripts)).rejects.toThrow(message);
  });

  test('that fails leaves nothing behind, and the error has its name and the line', async () => {
    const scripts = { 'a.sql': returns('a', `'old'`), 'b.sql': returns('b', `'old'`) };
    await apply(TABLE, scripts);
    const broken = { 'a.sql': returns('a', `'new'`), 'b.sql': '-- Ä\nSELEKT 1;\n' };
    await expect(apply(TABLE, broken)).rejects.toThrow(
      /^The script b\.sql failed: syntax error at or near "SELEKT" \(line 2\)$/,
    );
    expect(await call('a')).toBe('old');
    const mended = { 'a.sql': returns('a', `'new'`), 'b.sql': returns('b', `'new'`) };
    expect(await apply(TABLE, mended)).toEqual(['a.sql', 'b.sql']);
  });

  test('that a migration has replaced is gone, because the migration drops its functions', async () => {
    await apply(TABLE, { 'a.sql': returns('a', `'old'`) });
    const dropped = { ...TABLE, '20260102000000_drop': 'DROP FUNCTION a();' };
    expect(await apply(dropped, {})).toEqual(['20260102000000_drop']);
    expect(await database.query(`SELECT FROM pg_proc WHERE proname = 'a'`)).toEqual([]);
  });

  test('waits for a lock a second at a time, gives up after a while, and says what to do', async () => {
    const trigger = {
      'a.sql': `
        CREATE OR REPLACE FUNCTION a() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
        CREATE OR REPLACE TRIGGER a AFTER INSERT ON rooms EXECUTE FUNCTION a();`,
    };
    await apply(TABLE, {});
    const writer = new Client({ connectionString: database.url });
    await writer.connect();
    await writer.query('BEGIN; INSERT INTO rooms VALUES (1)');
    await expect(apply(TABLE, trigger, 0)).rejects.toThrow(
      /^The script a\.sql was not applied, because other sessions hold locks that it needs: in pg_stat_activity,/,
    );
    await writer.end();
    expect(await apply(TABLE, trigger, 0)).toEqual(['a.sql']);
  });
});

import { until } from '@deal-signals/test-kit/until';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { migrate } from '../../src/migrations/migrate.ts';
import { readMigrations, readScripts } from '../../src/migrations/schema-files.ts';
import { createEmptyDatabase, type EmptyDatabase } from '../migrations/empty-database.ts';
import { schemaFolder } from '../migrations/schema-folder.ts';
import { diagnose, runPrisma } from './prisma-command.ts';

// Our migrations and those of Prisma's own tools produce the same tables, and each accepts the history of the other. Only ours
// apply the scripts.

let names: string[];
let scripts: string[];
let ours: EmptyDatabase;
let prismas: EmptyDatabase;

beforeAll(async () => {
  names = (await readMigrations()).map(({ name }) => name);
  scripts = (await readScripts()).map(({ name }) => name);
  [ours, prismas] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()]);
  const [applied, deployed] = await Promise.all([
    migrate(ours.url),
    runPrisma(prismas.url, ['migrate', 'deploy']),
  ]);
  expect(applied).toEqual([...names, ...scripts]);
  expect(deployed).toMatchObject({
    exitCode: 0,
    output: expect.stringContaining('All migrations have been successfully applied.'),
  });
});
afterAll(() => Promise.all([ours.drop(), prismas.drop()]));

const STATEMENTS = {
  columns: `
    SELECT attrelid::regclass::text AS of, attname, format_type(atttypid, atttypmod) AS type, attnotnull,
           attidentity, pg_get_expr(adbin, adrelid) AS value
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid AND relkind IN ('r', 'p')
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relnamespace = 'public'::regnamespace AND attnum > 0 AND relname <> '_applied_scripts'
    ORDER BY attrelid::regclass::text, attnum`,
  constraints: `
    SELECT conrelid::regclass::text AS of, conname, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conname NOT LIKE '\\_applied\\_scripts%'
    ORDER BY 1, 2`,
  indexes: `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> '_applied_scripts' ORDER BY 1`,
  sequences: `
    SELECT sequencename, data_type::text, start_value, increment_by, cache_size
    FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`,
  types: `
    SELECT typname, enumlabel FROM pg_enum JOIN pg_type ON pg_type.oid = enumtypid ORDER BY typname, enumsortorder`,
  history: `
    SELECT migration_name, checksum, logs, rolled_back_at, applied_steps_count, length(id) AS id,
           finished_at >= started_at AS "isFinished"
    FROM _prisma_migrations ORDER BY started_at`,
};

test.each(Object.entries(STATEMENTS))(
  'the %s are the same as after prisma migrate deploy',
  async (_what, statement) => {
    const expected = await prismas.query(statement);
    expect(expected.length).toBeGreaterThan(0);
    expect(await ours.query(statement)).toEqual(expected);
  },
);

describe('after our migrations', () => {
  test('prisma migrate status and deploy find nothing to do', async () => {
    const [diagnosis, status, deploy] = await Promise.all([
      diagnose(ours.url),
      runPrisma(ours.url, ['migrate', 'status']),
      runPrisma(ours.url, ['migrate', 'deploy']),
    ]);
    expect(diagnosis).toEqual({
      editedMigrationNames: [],
      failedMigrationNames: [],
      hasMigrationsTable: true,
      history: null,
    });
    expect(status).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('Database schema is up to date!'),
    });
    expect(deploy).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('No pending migrations to apply.'),
    });
  });

  test('prisma reports what is missing and what was changed', async () => {
    const [first = '', second = ''] = names;
    const database = await createEmptyDatabase();
    await migrate(database.url);
    await database.query(`UPDATE _prisma_migrations SET checksum = '0' WHERE migration_name = '${first}'`);
    await database.query(`DELETE FROM _prisma_migrations WHERE migration_name = '${second}'`);
    expect(await diagnose(database.url)).toMatchObject({
      editedMigrationNames: [first],
      history: { diagnostic: 'databaseIsBehind', unappliedMigrationNames: [second] },
    });
    const status = await runPrisma(database.url, ['migrate', 'status']);
    expect(status).toMatchObject({ exitCode: 1, output: expect.stringContaining(second) });
    await database.drop();
  });
});

describe('after the migrations of Prisma', () => {
  test('ours only apply the scripts', async () => {
    expect(await migrate(prismas.url)).toEqual(scripts);
    expect(await migrate(prismas.url)).toEqual([]);
  });

  test('ours reapply a migration that was killed half-way and blocks prisma migrate deploy', async () => {
    const [first, second] = await readMigrations();
    if (first === undefined || second === undefined) throw new Error('two migrations are needed');
    const database = await createEmptyDatabase();
    await migrate(database.url, { folder: await schemaFolder({ [first.name]: first.sql }) });
    // The state after a `prisma migrate deploy` was killed in the middle: its script was one transaction.
    await database.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('killed', '0', $1)`,
      [second.name],
    );
    expect(await diagnose(database.url)).toMatchObject({ failedMigrationNames: [second.name] });
    expect(await migrate(database.url)).toEqual([...names.slice(1), ...scripts]);
    expect(await diagnose(database.url)).toMatchObject({ failedMigrationNames: [], history: null });
    await database.drop();
  });
});

test('Prisma waits for a migration of ours that is running, and has nothing to do afterwards', async () => {
  const database = await createEmptyDatabase();
  const gate = new Client({ connectionString: database.url });
  // The database is dropped even if the test fails while this session is open.
  gate.on('error', () => {});
  await gate.connect();
  await gate.query('SELECT pg_advisory_lock(1)');
  const [first, ...others] = await readMigrations();
  const folder = await schemaFolder({
    ...Object.fromEntries(others.map(({ name, sql }) => [name, sql])),
    [first!.name]: `${first!.sql}; SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(1);`,
  });
  const waiting = (count: number) => async () => {
    const rows = await database.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return rows.length === count;
  };
  const slow = migrate(database.url, { folder });
  await until('our migration to run', waiting(1));
  const deploy = runPrisma(database.url, ['migrate', 'deploy']);
  await until('Prisma to wait for it', waiting(2));
  await gate.end();
  expect(await slow).toEqual(names);
  expect(await deploy).toMatchObject({
    exitCode: 0,
    output: expect.stringContaining('No pending migrations to apply.'),
  });
  await database.drop();
});

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OUTSIDE_A_TRANSACTION } from '../../src/migrations/apply-migration.ts';
import { type Migration, readMigrations } from '../../src/migrations/schema-files.ts';

// Finds statements in migrations that would block requests on a large table: the rules of squawk, and rules of our own. A
// statement that is harmless nevertheless, for example because its table is small, gets a comment with the reason and `--
// squawk-ignore RULE`.

const require = createRequire(import.meta.url);

/** Each platform has its own npm package with the program. */
function findSquawk(): string | undefined {
  try {
    const own = require.resolve('squawk-cli/package.json');
    const platform = `@squawk-cli/${process.platform}-${process.arch}`;
    return path.join(
      path.dirname(require.resolve(`${platform}/package.json`, { paths: [own] })),
      'bin/squawk',
    );
  } catch {
    return undefined;
  }
}

const SQUAWK = findSquawk();
if (SQUAWK === undefined)
  console.log(`Skipped the linter of migrations: npm has no squawk for ${process.platform}`);

const EXCLUDED_RULES = [
  // The command that runs migrations sets one for all of them, and retries.
  'require-lock-timeout',
  // A statement blocks others only while it holds its locks, and the time to build an index depends on the table.
  'require-statement-timeout',
  // The types of our keys and numbers are chosen in schema.prisma, and so is what Prisma writes for an id.
  'prefer-bigint-over-int',
  'prefer-bigint-over-smallint',
  'prefer-identity',
];

/**
 * Our own rule: the rows of a large table are changed in batches that commit, so not in one transaction. A comment `-- few rows:
 * ` before the statement, with the reason, exempts it, because squawk only supports its own rules in its comments.
 */
const ALL_ROWS_AT_ONCE = 'all-rows-at-once';
const CHANGES_ROWS = [
  /^(UPDATE|DELETE|MERGE|TRUNCATE|LOCK|CLUSTER)\b/i,
  /^(WITH|DO)\b[^]*\b(UPDATE|DELETE|MERGE)\b/i,
  /^(?=INSERT|WITH|DO)[^]*\bINSERT\b[^;]*\bSELECT\b/i,
];

/** Another rule: several statements outside a transaction would form an implicit transaction, or a part of them could run twice. */
const SEVERAL_STATEMENTS = 'several-statements';

/** A third rule: replaceable objects, and the rights to use them, belong to a script. */
const BELONGS_TO_A_SCRIPT = 'belongs-to-a-script';
const CREATES_REPLACEABLE =
  /^CREATE\s+(OR\s+REPLACE\s+)?((TEMP|RECURSIVE|CONSTRAINT)\w*\s+)*(FUNCTION|PROCEDURE|VIEW|TRIGGER)\b/i;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-signals-lint-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns the findings in migrations: their name and the rule. */
async function lint(migrations: readonly Migration[]): Promise<string[]> {
  const found = await Promise.all(
    [true, false].map(async (inTransaction) => {
      const chosen = migrations.filter(({ sql }) => OUTSIDE_A_TRANSACTION.test(sql) !== inTransaction);
      const files = await Promise.all(
        chosen.map(async ({ name, sql }) => {
          const file = path.join(folder, `${name}.sql`);
          await writeFile(file, sql);
          return file;
        }),
      );
      const own = chosen.flatMap((migration) => ownProblems(migration, inTransaction));
      return [...own, ...(files.length === 0 ? [] : await squawk(files, inTransaction))];
    }),
  );
  return [...new Set(found.flat())].toSorted();
}

/** Returns the findings of our own rules in a migration. */
function ownProblems({ name, sql }: Migration, inTransaction: boolean): string[] {
  const statements = statementsOf(sql);
  if (statements.some(({ text }) => CREATES_REPLACEABLE.test(text)))
    return [`${name}: ${BELONGS_TO_A_SCRIPT}`];
  if (!inTransaction) return statements.length > 1 ? [`${name}: ${SEVERAL_STATEMENTS}`] : [];
  const found = statements.some(
    ({ text, comments }) => CHANGES_ROWS.some((form) => form.test(text)) && !/^-- few rows: /m.test(comments),
  );
  return found ? [`${name}: ${ALL_ROWS_AT_ONCE}`] : [];
}

/** Splits a script into statements, each with the comments in it and before it. */
function statementsOf(sql: string): { text: string; comments: string }[] {
  const statements = [{ text: '', comments: '' }];
  for (const [part] of sql.matchAll(/\$(\w*)\$[^]*?\$\1\$|'[^']*'|"[^"]*"|--.*|;|[^]/g)) {
    const statement = statements.at(-1)!;
    if (part === ';') statements.push({ text: '', comments: '' });
    else if (part.startsWith('--')) statement.comments += `${part}\n`;
    else statement.text += part;
  }
  return statements
    .map(({ text, comments }) => ({ text: text.trim(), comments }))
    .filter(({ text }) => text !== '');
}

function squawk(files: readonly string[], inTransaction: boolean): Promise<string[]> {
  const args = [
    '--reporter=json',
    '--pg-version=18.0',
    `--exclude=${EXCLUDED_RULES.join(',')}`,
    ...(inTransaction ? ['--assume-in-transaction'] : []),
    ...files,
  ];
  return new Promise((resolve, reject) => {
    // Squawk exits with code 1 if it has findings.
    execFile(SQUAWK ?? '', args, (error, stdout) => {
      if (stdout === '') {
        reject(error ?? new Error('squawk has written nothing'));
        return;
      }
      const problems = JSON.parse(stdout) as { file: string; rule_name: string }[];
      resolve(problems.map(({ file, rule_name: rule }) => `${path.basename(file, '.sql')}: ${rule}`));
    });
  });
}

describe(SQUAWK === undefined ? 'skipped: the linter of migrations' : 'the linter of migrations', () => {
  const testOrSkip = SQUAWK === undefined ? test.skip : test;

  testOrSkip('finds nothing', async () => {
    expect(await lint(await readMigrations())).toEqual([]);
  });

  testOrSkip.each([
    ['CREATE INDEX "a" ON "rooms" ("name");', ['require-concurrent-index-creation']],
    ['-- outside a transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS "a" ON "rooms" ("name");', []],
    ['-- outside a transaction\nCREATE INDEX CONCURRENTLY "a" ON "rooms" ("name");', ['prefer-robust-stmts']],
    ['DROP INDEX "a";', ['require-concurrent-index-deletion']],
    ['ALTER TABLE "rooms" ADD CONSTRAINT "c" CHECK ("name" <> \'\');', ['constraint-missing-not-valid']],
    ['ALTER TABLE "rooms" ADD CONSTRAINT "c" CHECK ("name" <> \'\') NOT VALID;', []],
    ['ALTER TABLE "rooms" VALIDATE CONSTRAINT "c";', []],
    ['ALTER TABLE "rooms" ALTER COLUMN "name" SET NOT NULL;', ['adding-not-nullable-field']],
    ['ALTER TABLE "rooms" DROP COLUMN "name";', ['ban-drop-column']],
    ['-- Nothing reads it.\n-- squawk-ignore ban-drop-column\nALTER TABLE "rooms" DROP COLUMN "name";', []],
    ['ALTER TABLE "rooms" RENAME COLUMN "name" TO "title";', ['renaming-column']],
    ['ALTER TABLE "rooms" ADD COLUMN "note" TEXT;', []],
    ['UPDATE "rooms" SET "name" = \'\';', [ALL_ROWS_AT_ONCE]],
    ['SELECT 1;\n  DELETE FROM "rooms";', [ALL_ROWS_AT_ONCE]],
    ['LOCK "rooms";', [ALL_ROWS_AT_ONCE]],
    ['CREATE FUNCTION a() RETURNS int LANGUAGE sql RETURN 1;', [BELONGS_TO_A_SCRIPT]],
    ['CREATE OR REPLACE VIEW a AS SELECT 1;', [BELONGS_TO_A_SCRIPT]],
    ['DROP FUNCTION a();', []],
    ['WITH a AS (UPDATE "rooms" SET "name" = \'\' RETURNING 1) SELECT 1;', [ALL_ROWS_AT_ONCE]],
    ['INSERT INTO "people" ("id") SELECT "id" FROM "rooms";', [ALL_ROWS_AT_ONCE]],
    ['DO $$ BEGIN UPDATE "rooms" SET "name" = \'\'; END $$;', [ALL_ROWS_AT_ONCE]],
    ['-- few rows: it has one\nUPDATE "ready_line" SET "id" = 1;', []],
    ['INSERT INTO "ready_line" ("id") VALUES (1);', []],
    [
      'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM "rooms"; END $$;',
      [BELONGS_TO_A_SCRIPT],
    ],
    ['-- outside a transaction\nDO $$ BEGIN UPDATE "rooms" SET "name" = 1; COMMIT; END $$;', []],
    ['-- outside a transaction\nUPDATE "rooms" SET "name" = 1;\nSELECT 1;', [SEVERAL_STATEMENTS]],
  ])('judges %s', async (sql, rules) => {
    expect(await lint([{ name: 'm', sql }])).toEqual(rules.map((rule) => `m: ${rule}`));
  });
});

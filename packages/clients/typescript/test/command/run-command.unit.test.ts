import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { runCommand } from '../../src/command/run-command.ts';
import { openSqlite } from '../../src/stores/sqlite-driver.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { BODY, NOW, SECRET, serviceHeaders, standardHeaders } from '../webhooks/sign.ts';

/** Runs the command in this process. */
async function run(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' };
  const exitCode = await runCommand(args, {
    env,
    input: () => Readable.from([]),
    print: (line) => (written.stdout += `${line}\n`),
    report: (line) => (written.stderr += `${line}\n`),
    showProgress: null,
    signal: new AbortController().signal,
  });
  return { exitCode, ...written };
}

const ACCESS = { DEAL_SIGNALS_URL: 'https://api.example.com/api/v1', DEAL_SIGNALS_API_KEY: 'key' };

test.each<[string[], string]>([
  [['sync'], '--to is missing'],
  [['sync', '--to', 'mysql://u:secret@host/db'], 'but is mysql://u:…@host/db'],
  [['sync', '--to', 'sqlite:'], '--to must be sqlite:FILE'],
  [['sync', '--to', 'ndjson:x', '--feeds', 'deals'], '--feeds has the unknown feed deals'],
  [['sync', '--to', 'ndjson:x', '--page-size', '501'], '--page-size must be'],
  [['sync', '--to', 'ndjson:x', '--poll-seconds', 'x'], '--poll-seconds must be'],
  [['sync', '--to', 'ndjson:x', '--url', 'https://api.example.com/api/v2'], 'must end in /api/v1'],
  [['sync', '--to', 'sqlite:x', '--prefix', 'A-'], '--prefix: a prefix has lower-case letters'],
  [['sync', '--to', 'ndjson:x', '--prefix', 'a'], '--prefix is for tables'],
  [['sync', '--to', 'sqlite:x', '--schema', 'a'], '--schema is only for PostgreSQL'],
  [['sync', '--wat'], "Unknown option '--wat'"],
  [['sync', 'deals.db'], 'Unexpected argument'],
  [['query', 'x.db'], 'one FILE and one SQL statement are required'],
  [['query', 'nowhere.db', 'SELECT 1'], 'there is no file nowhere.db'],
  [['tail', '--feeds', ''], '--feeds has the unknown feed (empty)'],
  [['listen'], '--forward-to is missing'],
  [['listen', '--forward-to', 'localhost:8080'], '--forward-to must be a URL'],
  [['listen', '--forward-to', 'http://localhost', '--events', 'x'], '--events has the unknown event x'],
  [['verify'], 'exactly one FILE is required'],
  [['verify', 'x'], '--secret is missing'],
  [['mcp', '--url', 'https://u:secret@api.example.com/v2'], 'but is https://u:…@api.example.com/v2'],
  [['frobnicate'], 'unknown command frobnicate'],
  [['constructor'], 'unknown command constructor'],
  [[], 'usage: deal-signals COMMAND'],
])('%j is wrong usage', async (args, message) => {
  const { exitCode, stdout, stderr } = await run(args, ACCESS);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});

test.each(['DEAL_SIGNALS_URL', 'DEAL_SIGNALS_API_KEY'])('%s is needed', async (name) => {
  const { exitCode, stderr } = await run(['tail'], { ...ACCESS, [name]: '' });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`set ${name}`);
});

test.each(['sync', 'query', 'tail', 'listen', 'mcp', 'verify'])('%s has a help text', async (name) => {
  const { exitCode, stdout } = await run([name, '--help']);
  expect([exitCode, stdout.startsWith(`usage: deal-signals ${name} `)]).toEqual([0, true]);
  expect((await run(['--help'])).stdout).toContain(`\n  ${name} `);
});

test.each([
  ['SELECT 9007199254740993', '9007199254740993'],
  ['SELECT -9223372036854775808', '-9223372036854775808'],
  ['SELECT 9223372036854775807, 1', '9223372036854775807\t1'],
  ['SELECT \'b\' AS "2", \'a\' AS "1"', 'b\ta'],
  ["SELECT x'00ff', 1.5, NULL, 1e300", "x'00ff'\t1.5\tnull\t1e+300"],
  ['SELECT CAST(9007199254740993 AS REAL)', '9007199254740992'],
])('query prints values exactly: %s', async (sql, line) => {
  const file = path.join(temporaryFolder(), 'copy.db');
  (await openSqlite(file)).close();
  const { stdout, stderr } = await run(['query', file, sql]);
  expect([stdout.split('\n')[1], stderr]).toEqual([line, '']);
});

const [MAJOR = 0, MINOR = 0] = process.versions.node.split('.').map(Number);
const HAS_ARRAYS = MAJOR !== 22 || MINOR >= 16;
(HAS_ARRAYS ? test : test.skip)('query prints columns with the same name separately', async () => {
  const file = path.join(temporaryFolder(), 'copy.db');
  (await openSqlite(file)).close();
  expect((await run(['query', file, 'SELECT 1 AS id, 2 AS id'])).stdout).toBe('id\tid\n1\t2\n');
});

describe('verify', () => {
  const HEADERS = { ...serviceHeaders(BODY, [SECRET], NOW), ...standardHeaders(BODY, [SECRET], NOW) };

  async function verify(content: string, ...options: string[]) {
    const file = path.join(temporaryFolder(), 'delivery');
    writeFileSync(file, content);
    return run(['verify', file, '--secret', SECRET, ...options]);
  }

  function message(lineBreak: string, headers: Record<string, string> = HEADERS): string {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return ['POST /webhooks HTTP/1.1', ...lines, '', BODY].join(lineBreak);
  }

  test.each([
    ['an HTTP message', message('\r\n')],
    ['an HTTP message with the line breaks of an editor', message('\n')],
    ['JSON', JSON.stringify({ headers: HEADERS, body: BODY })],
    [
      'JSON after a byte order mark and a line break',
      `\uFEFF\n${JSON.stringify({ headers: HEADERS, body: BODY })}`,
    ],
    ['a header with a dot', message('\r\n', { 'X.Tenant': '7', ...HEADERS })],
    ['a header with every character of a name', message('\n', { "!#$%&'*+-.^_`|~9aZ": '7', ...HEADERS })],
    ['a header without a value', message('\r\n', { 'X-Empty': '', ...HEADERS })],
    ['a blank before the colon', message('\n').replaceAll(/^([\w-]+): /gm, '$1 :\t')],
    ['a header on two lines', message('\r\n').replace(',v1=', ',\r\n\tv1=')],
    ['an empty line before the request line', `\r\n${message('\r\n')}`],
    ['an HTTP/2 message', message('\n').replace(/^.*$/m, ':method: POST\n:path: /webhooks')],
    ['a message without the request line', message('\n').replace(/^.*\n/, '')],
    ['a method in lower case', message('\n').replace('POST', 'post')],
    [
      'a header that is named like a property',
      message('\n', { __proto__x: '1', constructor: '2', ...HEADERS }),
    ],
  ])('accepts %s of any age', async (_form, content) => {
    expect(await verify(content)).toEqual({
      exitCode: 0,
      stdout:
        'valid: integration.ping, event 3f8e9d2c-5b1a-4c7d-8e6f-0a1b2c3d4e5f, created at 2026-09-01T11:59:59.000Z\n',
      stderr: '',
    });
  });

  test('rejects an old delivery with --tolerance', async () => {
    const { exitCode, stderr } = await verify(message('\n'), '--tolerance', '300');
    expect(exitCode).toBe(6);
    expect(stderr).toContain('TIMESTAMP_OUT_OF_TOLERANCE');
  });

  test('detects an added line break at the end', async () => {
    const { exitCode, stderr } = await verify(`${message('\n')}\n`);
    expect(exitCode).toBe(6);
    expect(stderr).toContain('The body is valid without the line break at its end');
  });

  test('does not blame a line break for another change of the body', async () => {
    const { exitCode, stderr } = await verify(`${message('\n').replace('ping', 'pong')}\n`);
    expect(exitCode).toBe(6);
    expect(stderr).toBe(
      'not valid: the signature matches none of the secrets: the secret is wrong, or the body was changed in transit (SIGNATURE_MISMATCH)\n',
    );
  });

  test('reports what is wrong with a file that is not a delivery', async () => {
    const { exitCode, stderr } = await verify('hello');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('is neither an HTTP message nor JSON');
  });
});

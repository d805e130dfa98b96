import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import jwt from 'jsonwebtoken';
import { issueSessionToken } from '../../src/commands/issue-session-token.ts';
import { REPOSITORY_ROOT } from '../../src/files/local-folder.ts';
import { openLocalSecrets } from '../../src/files/local-secrets.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const SECRET = 'the secret of this test, long enough for anything';
const GIVEN = { SESSION_JWT_SECRET: SECRET };

/** Runs the command. Returns its exit code and its output. */
async function run(args: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const command = path.join(REPOSITORY_ROOT, 'packages/tools/local-stack/src/commands/session-token.ts');
  const { NODE_OPTIONS: _jestFlags, ...inherited } = process.env;
  try {
    const output = await promisify(execFile)(
      process.execPath,
      ['--conditions=source', '--import', 'tsx', command, ...args],
      { cwd: REPOSITORY_ROOT, env: { ...inherited, ...GIVEN } },
    );
    return { exitCode: 0, ...output };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { exitCode: code, stdout, stderr };
  }
}

describe('pnpm session-token', () => {
  test('prints a token that verifies, and nothing else', async () => {
    const { exitCode, stdout, stderr } = await run(['--company', '7']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const claims = jwt.verify(stdout.trim(), SECRET, { algorithms: ['HS256'] }) as jwt.JwtPayload;
    expect(claims).toEqual({
      sub: '1',
      companyId: 7,
      permissions: ['integrations.crm'],
      iat: expect.any(Number),
      exp: claims.iat! + 3600,
    });
  });

  test('prints no token if a flag is invalid', async () => {
    const { exitCode, stdout, stderr } = await run(['--company', 'seven']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('pnpm session-token: --company must be a whole number');
  });
});

describe('issueSessionToken', () => {
  test('accepts user, permissions and lifetime', async () => {
    const flags = ['--company=7', '--user', '12', '--permissions', 'a, b,', '--ttl', '60'];
    const claims = jwt.verify(await issueSessionToken(flags, GIVEN, '/nowhere'), SECRET) as jwt.JwtPayload;
    expect(claims).toMatchObject({ sub: '12', permissions: ['a', 'b'], exp: claims.iat! + 60 });
  });

  test('sets the issuer and the audience that the API requires, and none if they are empty', async () => {
    const required = { ...GIVEN, SESSION_JWT_ISSUER: 'https://login.example', SESSION_JWT_AUDIENCE: 'deals' };
    const flags = ['--company', '7'];
    expect(jwt.verify(await issueSessionToken(flags, required, '/nowhere'), SECRET)).toMatchObject({
      iss: 'https://login.example',
      aud: 'deals',
    });
    const empty = { ...GIVEN, SESSION_JWT_ISSUER: '', SESSION_JWT_AUDIENCE: '' };
    const claims = jwt.verify(await issueSessionToken(flags, empty, '/nowhere'), SECRET);
    expect(claims).not.toHaveProperty('iss');
    expect(claims).not.toHaveProperty('aud');
  });

  test.each([
    [[], '--company is missing'],
    [['--company', '7', '--ttl', '0'], '--ttl must be a whole number'],
    [['--company', '7', '--user', '2147483648'], '--user must be a whole number'],
    [['--company', '7', '--usr', '1'], "Unknown option '--usr'"],
    [['7'], 'Unexpected argument'],
  ])('refuses %j', async (flags, message) => {
    const refused = issueSessionToken(flags, GIVEN, '/nowhere');
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toThrow('usage: pnpm session-token');
  });

  test('signs with the secret of the local stack if none is given', async () => {
    const folder = await temporaryFolder();
    const flags = ['--company', '7'];
    await expect(issueSessionToken(flags, {}, folder)).rejects.toThrow(/pnpm start.*SESSION_JWT_SECRET/);
    const { SESSION_JWT_SECRET } = await openLocalSecrets(folder);
    expect(jwt.verify(await issueSessionToken(flags, {}, folder), SESSION_JWT_SECRET)).toMatchObject({
      companyId: 7,
    });
  });

  test('explains that a public key cannot sign', async () => {
    const folder = await temporaryFolder();
    await openLocalSecrets(folder);
    await expect(
      issueSessionToken(['--company', '7'], { SESSION_JWT_PUBLIC_KEY: '-----BEGIN' }, folder),
    ).rejects.toThrow('a public key cannot sign');
  });
});

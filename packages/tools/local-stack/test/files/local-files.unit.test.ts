import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openLocalSecrets, readLocalSecrets } from '../../src/files/local-secrets.ts';
import {
  findDatabaseUrl,
  type Stack,
  readStackFile,
  removeStackFile,
  writeStackFile,
} from '../../src/files/stack-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const STACK: Stack = {
  apiUrl: 'http://127.0.0.1:3000/api/v1',
  workerUrl: 'http://127.0.0.1:3001',
  captureUrl: 'http://127.0.0.1:3003',
  captureToken: 'token',
  databaseUrl: 'postgresql://stack/db',
  redisUrl: 'redis://stack',
  caFile: '/somewhere/ca.pem',
  companies: [{ id: 1, name: 'One', apiKey: 'dsk_live_x', sessionToken: 'token' }],
};

async function mode(file: string): Promise<string> {
  return ((await stat(file)).mode & 0o777).toString(8);
}

describe('stack.json', () => {
  test('is readable only by its owner, can be read back, and can be deleted', async () => {
    const folder = path.join(await temporaryFolder(), 'new');
    await writeStackFile(folder, STACK);
    expect(await mode(path.join(folder, 'stack.json'))).toBe('600');
    expect(await readStackFile(folder)).toEqual(STACK);
    expect(await readdir(folder)).toEqual(['stack.json']);
    await removeStackFile(folder);
    expect(await readStackFile(folder)).toBeUndefined();
    await removeStackFile(folder);
  });

  test('is rejected if it is damaged', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'stack.json'), '{"apiUrl": 1}');
    await expect(readStackFile(folder)).rejects.toThrow(/stack\.json is damaged/);
  });
});

describe('secrets.json', () => {
  test('is created once, readable only by its owner, with keys of the right size', async () => {
    const folder = await temporaryFolder();
    expect(await readLocalSecrets(folder)).toBeUndefined();
    const secrets = await openLocalSecrets(folder);
    expect(await mode(path.join(folder, 'secrets.json'))).toBe('600');
    expect(Buffer.from(secrets.SECRETS_KEY, 'base64')).toHaveLength(32);
    expect(secrets.SESSION_JWT_SECRET.length).toBeGreaterThanOrEqual(32);
    expect(await openLocalSecrets(folder)).toEqual(secrets);
  });

  test('is never replaced, even if it is damaged', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'secrets.json');
    await writeFile(file, '{}');
    await expect(openLocalSecrets(folder)).rejects.toThrow(/secrets\.json is damaged/);
    expect(await readFile(file, 'utf8')).toBe('{}');
  });
});

describe('the database of the commands', () => {
  test('comes from the environment first, then from the running stack', async () => {
    const folder = await temporaryFolder();
    await writeStackFile(folder, STACK);
    expect(await findDatabaseUrl({ DATABASE_URL: 'postgresql://given/db' }, folder)).toBe(
      'postgresql://given/db',
    );
    expect(await findDatabaseUrl({ DATABASE_URL: '' }, folder)).toBe(STACK.databaseUrl);
  });

  test('is reported as missing, with instructions, if there is neither', async () => {
    const folder = await temporaryFolder();
    await expect(findDatabaseUrl({}, folder)).rejects.toThrow(/pnpm start.*DATABASE_URL/);
  });
});

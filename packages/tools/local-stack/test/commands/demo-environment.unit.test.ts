import { expect, test } from '@jest/globals';
import { withDemoAccess, writeStackFile } from '../../src/files/stack-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const company = (id: number) => ({ id, name: `Company ${id}`, apiKey: `key${id}`, sessionToken: 'token' });
const stack = (companies: ReturnType<typeof company>[]) => ({
  apiUrl: 'http://127.0.0.1:3000/api/v1',
  workerUrl: 'http://127.0.0.1:3001',
  captureUrl: 'http://127.0.0.1:3003',
  captureToken: 'token',
  databaseUrl: 'postgres://',
  redisUrl: 'redis://',
  caFile: 'ca.pem',
  companies,
});

test('adds the access to the first demo workspace of the running stack', async () => {
  const folder = await temporaryFolder();
  await writeStackFile(folder, stack([company(1), company(2)]));
  expect(await withDemoAccess({ PATH: '/bin', DEAL_SIGNALS_URL: '' }, folder)).toEqual({
    PATH: '/bin',
    DEAL_SIGNALS_URL: 'http://127.0.0.1:3000/api/v1',
    DEAL_SIGNALS_API_KEY: 'key1',
  });
});

test.each([{ DEAL_SIGNALS_URL: 'https://elsewhere/api/v1' }, { DEAL_SIGNALS_API_KEY: 'own' }])(
  'leaves %j alone: a key of the demo must not go to another API',
  async (environment) => {
    const folder = await temporaryFolder();
    await writeStackFile(folder, stack([company(1)]));
    expect(await withDemoAccess(environment, folder)).toEqual(environment);
  },
);

test('adds nothing without a stack or without a demo', async () => {
  const folder = await temporaryFolder();
  expect(await withDemoAccess({}, folder)).toEqual({});
  await writeStackFile(folder, stack([]));
  expect(await withDemoAccess({}, folder)).toEqual({});
});

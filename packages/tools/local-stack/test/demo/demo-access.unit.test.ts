import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { rememberedSecrets } from '../../src/demo/demo-access.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('the signing secrets of an earlier start are available before the demo is set up', async () => {
  const folder = await temporaryFolder();
  expect(await rememberedSecrets(folder)).toEqual([]);
  const access = (secret: string) => ({ apiKey: 'dsk_live_x', endpoint: { id: 1, secret } });
  const companies = { 1001: access('whsec_one'), 1002: access('whsec_two') };
  await writeFile(path.join(folder, 'demo.json'), JSON.stringify({ companies }));
  expect(await rememberedSecrets(folder)).toEqual(['whsec_one', 'whsec_two']);
});

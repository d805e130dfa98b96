import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { generatedFiles } from '../generate/generated-files.ts';

// If this fails, a description of the API has changed: run `pnpm generate`.
test('what is generated is what the descriptions of the API and of its events say', async () => {
  const files = [...(await generatedFiles())];
  expect(files).toHaveLength(3);
  for (const [file, text] of files) expect(readFileSync(file, 'utf8')).toBe(text);
});

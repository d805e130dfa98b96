import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { generatedFiles } from '../generate/generated-files.ts';

// If this fails, a description of the API has changed: run `pnpm generate`.
test('the types of the API are those of its descriptions', async () => {
  const files = [...(await generatedFiles())];
  expect(files).toHaveLength(2);
  for (const [file, text] of files) expect(readFileSync(file, 'utf8')).toBe(text);
});

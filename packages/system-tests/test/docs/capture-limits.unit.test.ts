import { readFile } from 'node:fs/promises';
import { LIMITS, TEXT_LIMIT } from '@deal-signals/capture/limits';
import { expect, test } from '@jest/globals';

test('the operations guide lists every limit of capture as it is', async () => {
  const guide = await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const section = /^## What capture refuses$(.*?)^## /ms.exec(guide)?.[1] ?? '';
  const listed = [...section.matchAll(/^\| (.+?) +\| (\d+ .+?) +\|$/gm)].map(([, field, limit]) => [
    field,
    limit,
  ]);
  const limits = Object.entries(LIMITS).map(([field, limit]) => [
    `\`${field}\``,
    'items' in limit
      ? `${limit.items} items`
      : 'json' in limit
        ? `${limit.json} bytes of JSON`
        : `${limit.text} bytes`,
  ]);
  expect(listed).toEqual([...limits, ['every other text', `${TEXT_LIMIT} bytes`]]);
});

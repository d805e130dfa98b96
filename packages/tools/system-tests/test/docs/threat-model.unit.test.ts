import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { expect, test } from '@jest/globals';
import { pathOfTest } from '../../src/path-of-test.ts';

const PAGE = readFileSync(path.join(REPOSITORY_ROOT, 'docs/decisions/02-threat-model.md'), 'utf8');
/** The items of its lists, one line each. */
const attacks = Array.from(PAGE.matchAll(/^- ([^]*?)(?=\n- |\n\n|\n$)/gm), ([, item = '']) =>
  item.replaceAll(/\s+/g, ' '),
);

test.each(attacks)('an existing test is named for: %s', (attack) => {
  const named = Array.from(attack.matchAll(/`(\S+\/test\S+)`/g), ([, name = '']) => name);
  expect(named.length).toBeGreaterThan(0);
  for (const name of named) {
    expect([name, existsSync(path.join(REPOSITORY_ROOT, pathOfTest(name)))]).toEqual([name, true]);
  }
});

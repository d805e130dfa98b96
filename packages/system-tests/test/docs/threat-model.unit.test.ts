import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { expect, test } from '@jest/globals';

const PAGE = readFileSync(path.join(REPOSITORY_ROOT, 'docs/decisions/02-threat-model.md'), 'utf8');
/** Each item of its lists, in one line. */
const attacks = Array.from(PAGE.matchAll(/^- ([^]*?)(?=\n- |\n\n|\n$)/gm), ([, item = '']) =>
  item.replaceAll(/\s+/g, ' '),
);

test.each(attacks)('a test shows what holds: %s', (attack) => {
  const named = Array.from(attack.matchAll(/`(\S+\/test\S+)`/g), ([, name = '']) => name);
  expect(named.length).toBeGreaterThan(0);
  for (const name of named) {
    const group = ['api', 'worker', 'console'].includes(name.split('/')[0] ?? '') ? 'apps' : 'packages';
    expect([name, existsSync(path.join(REPOSITORY_ROOT, group, name))]).toEqual([name, true]);
  }
});

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { expect, test } from '@jest/globals';
import { ALERT_GROUPS } from '../../src/reference/alerts.ts';
import { readPage } from './programs.ts';

const FOLDER = path.join(REPOSITORY_ROOT, 'docker/observability');
const rules = ALERT_GROUPS.flatMap((group) => group.rules);

/** The target of the rules' links until the operator names the page. */
const PAGE = 'https://git.example.com/deal-signals/docs/operators/alerts.md';
const HEADINGS = Array.from(
  readPage('operators/alerts.md').matchAll(/^### (.*)$/gm),
  ([, text = '']) => text,
);

test('each rule links to its section of the page', () => {
  for (const { annotations } of rules) {
    const anchor = annotations.summary.toLowerCase().replaceAll(' ', '-');
    expect(HEADINGS).toContain(annotations.summary);
    expect(annotations.runbook_url).toBe(`${PAGE}#${anchor}`);
  }
});

test('each rule has a test case', () => {
  const cases = readFileSync(path.join(FOLDER, 'alerts.test.yml'), 'utf8');
  for (const { alert } of rules) expect(cases).toContain(`alertname="${alert}"`);
});

test.each([
  ['test', 'rules', 'alerts.test.yml'],
  ['check', 'config', 'prometheus.yml'],
])('promtool %s %s %s', (...command) => {
  const { error, status, stdout, stderr } = spawnSync('promtool', command, { cwd: FOLDER, encoding: 'utf8' });
  if (error !== undefined) {
    process.stderr.write(`skipped: promtool ${command.join(' ')}: ${error.message}\n`);
    return;
  }
  expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('SUCCESS')]);
});

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { expect, test } from '@jest/globals';
import { resolveLink } from '../../../../apps/api/src/docs/links.ts';
import { readPage } from './programs.ts';

// Compares the alerting rules with the operators' page, and runs Prometheus' own checks of them.

const FOLDER = path.join(REPOSITORY_ROOT, 'docker/observability');
const read = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8');

const rules = read('../chart/files/alerts.yml')
  .split(/^ +- alert: /m)
  .slice(1)
  .map((text) => {
    const [, expression = ''] = /^ +expr: (?:\|-)?([\s\S]*?)\n +(?:for|labels):/m.exec(text) ?? [];
    return {
      name: /^\w+/.exec(text)?.[0] ?? '',
      expression: withoutSpaces(expression).replace(/^'(.*)'$/, '$1'),
      minutes: /^ +for: (\d+)m$/m.exec(text)?.[1],
      summary: /^ +summary: (.+)$/m.exec(text)?.[1],
      runbook: /^ +runbook_url: (.+)$/m.exec(text)?.[1],
    };
  });

/** Where the links of the rules lead, on the server that they name. */
const SERVER = 'https://signals.example.com';
const runbookOf = (anchor: string) =>
  `${SERVER}${resolveLink(`docs/operations.md#${anchor}`, 'README.md', [])}`;

/** The sections of the page that describe an alert. */
const sections = readPage('operations.md')
  .split(/^#### /m)
  .slice(1)
  .map((text) => {
    const [title = ''] = text.split('\n', 1);
    const expressions = Array.from(text.matchAll(/^```promql\n([\s\S]*?)^```/gm), ([, one = '']) => one);
    return {
      title,
      anchor: title
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
      expressions: expressions.map(withoutSpaces),
      minutes: /^For (\d+) minutes?\./m.exec(text)?.[1],
    };
  });

function withoutSpaces(expression: string): string {
  return expression.replaceAll(/\s/g, '');
}

test('each rule is described in the section that it names, with the same expression', () => {
  expect(rules.length).toBeGreaterThan(30);
  for (const { name, expression, minutes, summary, runbook } of rules) {
    const section = sections.find(({ anchor }) => runbook === runbookOf(anchor));
    expect([name, summary]).toEqual([name, section?.title]);
    expect(section?.expressions).toContain(expression);
    expect([name, minutes]).toEqual([name, section?.minutes]);
  }
  const described = sections.flatMap(({ expressions }) => expressions);
  expect(described.toSorted()).toEqual(rules.map(({ expression }) => expression).toSorted());
});

test('each rule has a case', () => {
  const cases = read('alerts.test.yml');
  for (const { name } of rules) expect(cases).toContain(`alertname="${name}"`);
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

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { CHART, EXAMPLES, findHelm, KUBERNETES, runHelm } from '../../src/chart/helm.ts';
import type { Rendered } from '../../src/chart/rendered.ts';

const tool = findHelm();
if ('missing' in tool) process.stderr.write(`skipped: packing the Helm chart: ${tool.missing}\n`);

const read = (file: string) => readFile(path.join(CHART, file), 'utf8');

('command' in tool ? test : test.skip)(
  'the package of the chart renders like its folder, with the files of the alerts and the dashboard',
  async () => {
    const helm = (...args: string[]) => runHelm('command' in tool ? tool.command : '', ...args);
    const folder = await mkdtemp(path.join(tmpdir(), 'deal-signals-chart-'));
    try {
      helm('package', '.', `--destination=${folder}`);
      const { version } = parse(await read('Chart.yaml')) as { version: string };
      expect(await readdir(folder)).toEqual([`deal-signals-${version}.tgz`]);
      const render = (chart: string, example: string) =>
        helm('template', 'shop', chart, `--values=values-${example}.yaml`, KUBERNETES);
      const archive = path.join(folder, `deal-signals-${version}.tgz`);
      for (const example of EXAMPLES) expect(render(archive, example)).toBe(render('.', example));

      const objects = parseAllDocuments(render(archive, 'production')).map((one) => one.toJS() as Rendered);
      const rule = objects.find(({ kind }) => kind === 'PrometheusRule');
      expect(rule?.spec).toEqual(parse(await read('files/alerts.yml')));
      const dashboard = objects.find(({ metadata }) => metadata.labels['grafana_dashboard'] === '1');
      expect(dashboard?.data?.['deal-signals.json']).toBe((await read('files/dashboard.json')).trimEnd());
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

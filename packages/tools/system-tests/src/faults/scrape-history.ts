import { spawnSync } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { parseScrape } from '@deal-signals/test-kit/prometheus-text';

/** A process that Prometheus would scrape. */
export interface Target {
  job: 'deal-signals-api' | 'deal-signals-worker';
  url: string;
}

/** The scrapes of the targets, as Prometheus would store them. */
export interface ScrapeHistory {
  /** Scrapes all targets once. For the rules, scrapes are a minute apart. Returns the minute, from 0. */
  scrape(): Promise<number>;
  /**
   * Lets promtool evaluate the alerting rules on the history.
   *
   * @param watched the alerts that count, without the common prefix of their names.
   * @param expected the alerts that fire at certain minutes.
   * @returns the output of promtool; null without promtool.
   */
  check(
    watched: readonly string[],
    expected: Record<number, readonly string[]>,
  ): Promise<{ passed: boolean; text: string } | null>;
}

/** Records the scrapes of running processes, for the rules of `docker/chart/files/alerts.yml`. */
export function recordScrapes(targets: readonly Target[]): ScrapeHistory {
  /** The values of each series by minute. */
  const history = new Map<string, Map<number, number>>();
  let minutes = 0;

  async function scrapeOne({ job, url }: Target, minute: number): Promise<void> {
    const add = (series: string, value: number) => {
      const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? [];
      const key = `${name}{job="${job}",instance="${new URL(url).host}"${labels && `,${labels}`}}`;
      history.set(key, (history.get(key) ?? new Map<number, number>()).set(minute, value));
    };
    const text = await fetch(new URL('/metrics', url)).then(
      (response) => response.text(),
      () => null,
    );
    add('up', text === null ? 0 : 1);
    for (const [series, value] of parseScrape(text ?? '').values) {
      if (series.startsWith('deal_signals_')) add(series, value);
    }
  }

  /** Formats the values of a series. Prometheus marks a series that is missing from a scrape as stale. */
  function valuesOf(found: ReadonlyMap<number, number>): string {
    return Array.from({ length: minutes }, (_, minute) => {
      if (found.has(minute)) return String(found.get(minute));
      return found.has(minute - 1) ? 'stale' : '_';
    }).join(' ');
  }

  return {
    async scrape() {
      const minute = minutes;
      await Promise.all(targets.map((target) => scrapeOne(target, minute)));
      minutes += 1;
      return minute;
    },
    async check(watched, expected) {
      const names = watched.map((name) => `DealSignals${name}`).join('|');
      const series = [...history].map(
        ([key, found]) => `      - series: '${key}'\n        values: '${valuesOf(found)}'\n`,
      );
      const expressions = Object.entries(expected).map(([minute, alerts]) => {
        const samples = alerts.map(
          (alert) => `          - labels: '{alertname="DealSignals${alert}"}'\n            value: 1\n`,
        );
        const firing = `group by (alertname) (ALERTS{alertstate="firing",alertname=~"${names}"})`;
        return `      - expr: ${firing}\n        eval_time: ${minute}m\n        exp_samples:${samples.length === 0 ? ' []' : ''}\n${samples.join('')}`;
      });
      const file = path.join(await mkdtemp(path.join(tmpdir(), 'deal-signals-rules-')), 'history.yml');
      const rules = path.join(REPOSITORY_ROOT, 'docker/chart/files/alerts.yml');
      await writeFile(
        file,
        `rule_files: ['${rules}']\nevaluation_interval: 1m\ntests:\n  - interval: 1m\n    input_series:\n${series.join('')}    promql_expr_test:\n${expressions.join('')}`,
      );
      const { error, status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], {
        encoding: 'utf8',
      });
      return error === undefined ? { passed: status === 0, text: `${stdout}${stderr}` } : null;
    },
  };
}

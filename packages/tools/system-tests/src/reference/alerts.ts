import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { parse } from 'yaml';

/** An alerting rule of Prometheus. */
export interface AlertRule {
  alert: string;
  expr: string;
  /** How long the expression must be true, such as `5m`. */
  for?: string;
  labels: { severity: 'critical' | 'warning' | 'info' };
  annotations: {
    /** The heading of its section on the page. */
    summary: string;
    /** What to do, in Markdown. Its links are relative to the page. */
    runbook: string;
    runbook_url: string;
  };
}

/** The rules that the chart ships, by group. */
export const ALERT_GROUPS = readGroups();

const INTRODUCTION = `# Alerts

What each alert means and what to do. [docker/chart/files/alerts.yml](../../docker/chart/files/alerts.yml) has them as rules for
Prometheus; [Watch](operations.md#watch) says how to load them. The thresholds suit the default settings: adapt them to yours, and
run \`promtool test rules docker/observability/alerts.test.yml\`.

This page is made from the rules, by \`pnpm generate\`.
`;

const TITLES: Readonly<Record<string, string>> = {
  'deal-signals-api': 'API',
  'deal-signals-processes': 'API and workers',
  'deal-signals-deliveries': 'Deliveries',
  'deal-signals-capture': 'Capture',
};

/** Builds `docs/operators/alerts.md`. */
export function alertsPage(): string {
  const groups = ALERT_GROUPS.map(
    ({ name, rules }) => `## ${TITLES[name]}\n\n${rules.map(section).join('\n')}`,
  );
  return [INTRODUCTION, ...groups].join('\n');
}

function section({ alert, expr, for: wait, labels, annotations }: AlertRule): string {
  const after = wait === undefined ? '' : `, after ${wait.replace('m', ' min')}`;
  return `### ${annotations.summary}

\`${alert}\`: ${labels.severity}${after}.

${annotations.runbook}

\`\`\`promql
${expr}
\`\`\`
`;
}

function readGroups(): { name: string; rules: AlertRule[] }[] {
  const file = path.join(REPOSITORY_ROOT, 'docker/chart/files/alerts.yml');
  return (parse(readFileSync(file, 'utf8')) as { groups: { name: string; rules: AlertRule[] }[] }).groups;
}

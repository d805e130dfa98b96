import { factsOf, type SettingFacts } from '@deal-signals/runtime/settings';
import { apiSettings } from '../../../../apps/api/src/config.ts';
import { workerSettings } from '../../../../apps/worker/src/config.ts';

/** What is known of every setting, by app. */
export const SETTINGS = { api: factsOf(apiSettings), worker: factsOf(workerSettings) };

type Entry = [name: string, facts: SettingFacts];

const INTRODUCTION = `# Settings

Both apps read environment variables, once, when they start. An invalid value stops the process, with a message that names the
variable; an empty one counts as missing. A variable that seems to be a setting and is none is named in a warning.

This page is made from the declarations in the code, by \`pnpm settings\`.
`;

/** Makes `docs/reference/settings.md`. */
export function settingsPage(): string {
  const { api, worker } = SETTINGS;
  const isShared = ([name]: Entry) => JSON.stringify(api.get(name)) === JSON.stringify(worker.get(name));
  return [
    INTRODUCTION,
    section('The API and the workers', [...api].filter(isShared)),
    section(
      'The API',
      [...api].filter((entry) => !isShared(entry)),
    ),
    section(
      'The workers',
      [...worker].filter((entry) => !isShared(entry)),
    ),
  ].join('\n');
}

function section(title: string, entries: readonly Entry[]): string {
  const rows = entries.map(([name, facts]) => [`\`${name}\``, defaultOf(facts), facts.form, facts.about]);
  return `## ${title}\n\n${table(['Setting', 'Default', 'Allowed', 'What it does'], rows)}`;
}

function defaultOf({ preset, otherwise, isRequired }: SettingFacts): string {
  if (isRequired) return 'required';
  return preset ? `\`${preset}\`` : (otherwise ?? '');
}

/** A table as the formatter of this repository writes it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('');
}

import { getFacts, type SettingFacts } from '@deal-signals/runtime/settings';
import { apiSettings } from '../../../../../apps/api/src/config.ts';
import { workerSettings } from '../../../../../apps/worker/src/config.ts';
import { markdownTable } from './markdown-table.ts';

/** The facts about every setting, by app. */
export const SETTINGS = { api: getFacts(apiSettings), worker: getFacts(workerSettings) };

type Entry = [name: string, facts: SettingFacts];

const INTRODUCTION = `# Settings

Both apps read environment variables, once, when they start. An invalid value stops the process, with a message that names the
variable. An empty value counts as missing. A warning names each variable that looks like a setting but is not one.

This page is made from the declarations in the code, by \`pnpm generate\`.
`;

/** Builds `docs/operators/settings.md`. */
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
  return `## ${title}\n\n${markdownTable(['Setting', 'Default', 'Allowed', 'What it does'], rows)}`;
}

function defaultOf({ preset, otherwise, isRequired }: SettingFacts): string {
  if (isRequired) return 'required';
  return preset ? `\`${preset}\`` : (otherwise ?? '');
}

import { writeFile } from 'node:fs/promises';
import { alertsPage } from './alerts.ts';
import { errorsPage } from './errors.ts';
import { settingsPage } from './settings.ts';

// Writes the pages of `docs/reference` again, as a part of `pnpm generate`.

const pages = { alerts: alertsPage(), errors: errorsPage(), settings: settingsPage() };
for (const [name, page] of Object.entries(pages)) {
  await writeFile(new URL(`../../../../../docs/reference/${name}.md`, import.meta.url), page);
}

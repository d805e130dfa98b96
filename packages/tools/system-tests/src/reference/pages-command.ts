import { writeFile } from 'node:fs/promises';
import { alertsPage } from './alerts.ts';
import { errorsPage } from './errors.ts';
import { eventsPage } from './events.ts';
import { settingsPage } from './settings.ts';

// Regenerates the pages of `docs` that are made from code, as a part of `pnpm generate`.

const pages = {
  'operators/alerts.md': alertsPage(),
  'operators/settings.md': settingsPage(),
  'reference/errors.md': errorsPage(),
  'reference/events.md': eventsPage(),
};
for (const [file, page] of Object.entries(pages)) {
  await writeFile(new URL(`../../../../../docs/${file}`, import.meta.url), page);
}

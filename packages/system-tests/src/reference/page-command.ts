import { writeFile } from 'node:fs/promises';
import { alertsPage } from './alerts.ts';
import { errorsPage } from './errors.ts';
import { eventsPage } from './events.ts';
import { settingsPage } from './settings.ts';

// `pnpm settings`, `pnpm alerts`, `pnpm errors` and `pnpm events`, for developers: each writes its page of `docs` again.

/** By the names of the commands: the path of the page below `docs`, and what makes it. */
const PAGES = {
  settings: ['operators/settings.md', settingsPage],
  alerts: ['operators/alerts.md', alertsPage],
  errors: ['reference/errors.md', errorsPage],
  events: ['reference/events.md', eventsPage],
} as const;

const [name = ''] = process.argv.slice(2);
const [file, makePage] = PAGES[name as keyof typeof PAGES];
await writeFile(new URL(`../../../../docs/${file}`, import.meta.url), makePage());

import { writeFile } from 'node:fs/promises';
import { alertsPage } from './alerts.ts';
import { errorsPage } from './errors.ts';
import { eventsPage } from './events.ts';
import { settingsPage } from './settings.ts';

// `pnpm settings`, `pnpm alerts`, `pnpm errors` and `pnpm events`, for developers: each writes its page of `docs/reference` again.

const PAGES = { settings: settingsPage, alerts: alertsPage, errors: errorsPage, events: eventsPage };

const [name = ''] = process.argv.slice(2);
const makePage = PAGES[name as keyof typeof PAGES];
await writeFile(new URL(`../../../../docs/reference/${name}.md`, import.meta.url), makePage());

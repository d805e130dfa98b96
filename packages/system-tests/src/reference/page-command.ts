import { writeFile } from 'node:fs/promises';
import { alertsPage } from './alerts.ts';
import { errorsPage } from './errors.ts';
import { settingsPage } from './settings.ts';

// `pnpm settings`, `pnpm alerts` and `pnpm errors`, for developers: each writes its page of `docs/reference` again.

const PAGES = { settings: settingsPage, alerts: alertsPage, errors: errorsPage };

const [name = ''] = process.argv.slice(2);
const makePage = PAGES[name as keyof typeof PAGES];
await writeFile(new URL(`../../../../docs/reference/${name}.md`, import.meta.url), makePage());

import { writeFile } from 'node:fs/promises';
import { settingsPage } from './page.ts';

// `pnpm settings`, for developers: writes the page of the settings again. Run it after a change of a declaration.
await writeFile(new URL('../../../../docs/reference/settings.md', import.meta.url), settingsPage());

import { expect, test } from '@jest/globals';
import { alertsPage } from '../../src/reference/alerts.ts';
import { errorsPage } from '../../src/reference/errors.ts';
import { eventsPage } from '../../src/reference/events.ts';
import { settingsPage } from '../../src/reference/settings.ts';
import { readPage } from './programs.ts';

test.each([
  ['settings', settingsPage],
  ['alerts', alertsPage],
  ['errors', errorsPage],
  ['events', eventsPage],
] as const)('docs/reference/%s.md is current; if not, run the command of the same name', (name, makePage) => {
  expect(readPage(`reference/${name}.md`)).toBe(makePage());
});

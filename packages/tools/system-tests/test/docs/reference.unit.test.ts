import { expect, test } from '@jest/globals';
import { alertsPage } from '../../src/reference/alerts.ts';
import { errorsPage } from '../../src/reference/errors.ts';
import { eventsPage } from '../../src/reference/events.ts';
import { settingsPage } from '../../src/reference/settings.ts';
import { readPage } from './programs.ts';

test.each([
  ['operators/settings', settingsPage],
  ['operators/alerts', alertsPage],
  ['reference/errors', errorsPage],
  ['reference/events', eventsPage],
] as const)('docs/%s.md is current; if not, run pnpm generate', (name, makePage) => {
  expect(readPage(`${name}.md`)).toBe(makePage());
});

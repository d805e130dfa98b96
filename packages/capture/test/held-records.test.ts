import { execFileSync } from 'node:child_process';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { expect, test } from '@jest/globals';
import { capturedDatabase } from './captured-database.ts';

const database = capturedDatabase();

const HOUR_MS = 3_600_000;

function runCommand(...args: string[]): string[] {
  const program = new URL('../src/held-records/held-records-command.ts', import.meta.url).pathname;
  const output = execFileSync(
    process.execPath,
    ['--conditions=source', '--import', 'tsx', program, ...args],
    { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: database.url } },
  );
  return output.trimEnd().split('\n');
}

test('the command shows what waits and what was refused, and discards only what was refused', async () => {
  expect(runCommand()).toEqual(['no records are held']);
  const hold = (key: string, ageMs: number, problem: string | null) =>
    database.db.heldRecord.create({
      data: {
        companyId: COMPANY,
        kind: 'event',
        key,
        distributionId: uuid(9),
        record: '{}',
        heldAt: new Date(Date.now() - ageMs),
        problem,
      },
    });
  await hold('waiting', 23 * HOUR_MS, null);
  await hold('expired', 25 * HOUR_MS, null);
  await hold('refused', 0, 'docId: no');
  const shown = [
    'workspace 1: 1 waiting, 2 refused',
    'workspace 1: event "expired": its share link was not captured within 24 hours',
    'workspace 1: event "refused": docId: no',
  ];
  expect(runCommand()).toEqual(shown);
  expect(runCommand('--discard-refused')).toEqual([...shown, 'discarded 2 refused records']);
  expect(runCommand()).toEqual(['workspace 1: 1 waiting, 0 refused']);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@deal-signals/test-kit/until';
import { describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '../temporary-folder.ts';

const WATCH = fileURLToPath(new URL('../../src/processes/launcher-watch.ts', import.meta.url));

describe('watchLaunchers', () => {
  test('detects that the pnpm above the wrapper shell was killed', async () => {
    const folder = await temporaryFolder();
    const report = path.join(folder, 'report');
    await writeFile(
      path.join(folder, 'watcher.mts'),
      `import { appendFileSync } from 'node:fs';
       import { watchLaunchers } from ${JSON.stringify(WATCH)};
       const tell = (word) => appendFileSync(${JSON.stringify(report)}, word);
       const keepAlive = setTimeout(() => {}, 120_000);
       watchLaunchers(() => { tell(' gone'); clearTimeout(keepAlive); });
       tell('watching');`,
    );
    await writeFile(
      path.join(folder, 'pnpm.mjs'),
      `import { spawn } from 'node:child_process';
       const command = ['${process.execPath}', '--import', 'tsx', '${folder}/watcher.mts'].join(' ');
       spawn('sh', ['-c', command + '; true'], { stdio: 'ignore' });`,
    );
    const { NODE_OPTIONS: _jestFlags, ...environment } = process.env;
    const pnpm = spawn(process.execPath, [path.join(folder, 'pnpm.mjs')], {
      stdio: 'ignore',
      env: environment,
    });
    const read = () => readFile(report, 'utf8');
    await until('the watcher to be up', async () => (await read()) === 'watching');

    pnpm.kill('SIGKILL');
    await once(pnpm, 'exit');
    await until('the watcher to notice', async () => (await read()) === 'watching gone');
    expect(await read()).toBe('watching gone');
  });
});

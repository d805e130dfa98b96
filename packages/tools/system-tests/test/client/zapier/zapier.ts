import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { copyOf, npmInstall, run, withoutJest } from '../npm.ts';

/** The version of the platform that the app names, its schema, and the compiler of the app. */
const PLATFORM = [
  'zapier-platform-core@19.1.0',
  'zapier-platform-schema@19.1.0',
  'typescript@5.9.3',
  '@types/node@20',
];

const CLIENT = path.join(REPOSITORY_ROOT, 'packages/clients/typescript');

/** The app with Zapier's own tester, in a separate process. */
export interface ZapierTester {
  /** Returns the errors that Zapier's schema reports for the app. */
  validate(): Promise<string[]>;
  /** Returns a value of the app, such as `triggers.room_created.operation.sample`. */
  value(part: string): Promise<any>;
  /**
   * Runs a part of the app as Zapier does.
   *
   * @throws Error with the app's message.
   */
  run(part: string, bundle: object): Promise<any>;
  close(): void;
}

/**
 * Compiles the app with the platform and the product's client, and starts the tester.
 *
 * @returns undefined if npm cannot install the platform, for example without a network. A warning reports it.
 */
export async function startZapierTester(): Promise<ZapierTester | undefined> {
  const folder = path.join(tmpdir(), 'deal-signals-zapier-platform');
  const modules = path.join(folder, 'node_modules');
  if (!existsSync(path.join(modules, 'zapier-platform-core'))) {
    try {
      await npmInstall(folder, PLATFORM);
    } catch (error) {
      console.warn(`THE ZAPIER APP IS NOT TESTED: npm failed to install the platform. ${String(error)}`);
      return undefined;
    }
  }
  const client = path.join(modules, 'deal-signals');
  mkdirSync(client, { recursive: true });
  copyFileSync(path.join(CLIENT, 'package.json'), path.join(client, 'package.json'));
  const config = path.join(CLIENT, 'tsconfig.build.json');
  await compile(
    path.join(REPOSITORY_ROOT, 'node_modules'),
    '-p',
    config,
    '--outDir',
    path.join(client, 'dist'),
  );
  const app = copyOf('zapier', folder);
  await compile(modules, '-p', app);
  const child = fork(path.join(import.meta.dirname, 'tester.mjs'), [app], {
    execArgv: [],
    // Discards the standard output, to which the tester writes its memory usage.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: withoutJest(),
  });
  await once(child, 'message');
  let calls = 0;
  const call = (command: string, ...args: unknown[]) => ask(child, { id: (calls += 1), command, args });
  return {
    validate: () => call('validate'),
    value: (part) => call('value', part),
    run: (part, bundle) => call('run', part, bundle),
    close: () => child.kill(),
  };
}

/**
 * Compiles the app.
 *
 * @throws Error with the messages of the compiler.
 */
async function compile(modules: string, ...options: string[]): Promise<void> {
  try {
    await run(path.join(modules, '.bin/tsc'), options, { env: withoutJest() });
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout, { cause: error });
  }
}

function ask(child: ChildProcess, message: { id: number; command: string; args: unknown[] }): Promise<any> {
  return new Promise((resolve, reject) => {
    child.on('message', function answered(answer: { id: number; result?: unknown; error?: string }) {
      if (answer.id !== message.id) return;
      child.off('message', answered);
      if (answer.error === undefined) resolve(answer.result);
      else reject(new Error(answer.error));
    });
    child.send(message);
  });
}

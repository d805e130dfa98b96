/** The one test in a browser that is part of this run: a session in the console. */
export const WALK = 'browser/console-session\\.test\\.ts$';

/** The packages that only people with a checkout run: none of them is in an image or a package that is published. */
export const PROGRAMS = ['bench', 'demo', 'local-stack', 'test-kit'];

/** One run for the whole repository, with one real PostgreSQL and one real Redis. */
export default {
  rootDir: import.meta.dirname,
  testMatch: ['<rootDir>/{apps,packages}/*/test/**/*.test.ts'],
  // They have commands of their own: jest.{scale,faults,abuse,tools,images,browser,release}.config.mjs.
  testPathIgnorePatterns: [
    '/node_modules/',
    '\\.scale\\.test\\.ts$',
    '/test/faults/',
    '/test/abuse/',
    '/test/tools/',
    '/test/release/',
    '/test/images/',
    `/test/(?!${WALK})browser/`,
    `/packages/(${PROGRAMS.join('|')})/test/`,
  ],
  extensionsToTreatAsEsm: ['.ts', '.mts'],
  transform: {
    '\\.m?ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  // A dependency of the tests that has an import condition `source`, too, for its TypeScript.
  transformIgnorePatterns: ['/node_modules/(?!.*eventsource-parser)'],
  testEnvironment: '<rootDir>/packages/test-kit/leak-check-environment.mjs',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  globalSetup: '<rootDir>/packages/test-kit/jest-global-setup.mjs',
  globalTeardown: '<rootDir>/packages/test-kit/jest-global-teardown.mjs',
  reporters: [
    'default',
    '<rootDir>/packages/system-tests/table-reporter.mjs',
    '<rootDir>/packages/test-kit/jest-plain-summary.mjs',
  ],
  testSequencer: '<rootDir>/packages/test-kit/longest-first-sequencer.mjs',
  // Tests wait for servers, timeouts and processes. With two workers, a third of two cores is idle.
  maxWorkers: 3,
  // Jest keeps the modules of every file that a worker has run. A new worker takes a second.
  workerIdleMemoryLimit: '1GB',
  // A busy machine needs time to end a process. What keeps it from ending fails the test file (testEnvironment above).
  workerGracefulExitTimeout: 20_000,
  // Only ends what hangs: a busy machine takes several times as long as an idle one.
  testTimeout: 240_000,
};

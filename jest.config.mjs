/** One run for the whole repository: real PostgreSQL and Redis, started once. */
export default {
  testMatch: ['<rootDir>/{apps,packages}/*/test/**/*.test.ts'],
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
  testEnvironment: '<rootDir>/packages/test-kit/leak-check-environment.mjs',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  globalSetup: '<rootDir>/packages/test-kit/jest-global-setup.mjs',
  globalTeardown: '<rootDir>/packages/test-kit/jest-global-teardown.mjs',
  reporters: [
    'default',
    '<rootDir>/packages/system-tests/fault-table-reporter.mjs',
    '<rootDir>/packages/test-kit/jest-plain-summary.mjs',
  ],
  maxWorkers: 2,
  // On a busy machine the end of a worker process takes its time; what keeps it from ending fails its test file.
  workerGracefulExitTimeout: 20_000,
  // A limit for what hangs, not for what is slow: a busy machine takes several times as long.
  testTimeout: 240_000,
};

/** The one test in a browser that is part of `pnpm test`: a session in the console. */
const CONSOLE_SESSION = 'browser/console-session\\.test\\.ts$';

/** Programs that only a person with a checkout runs: no image and no published package contains them. */
const PROGRAMS = ['bench', 'demo', 'local-stack', 'test-kit'];

/** Every package, as a glob. */
const PACKAGE = '<rootDir>/{apps,packages,packages/clients,packages/tools}/*';

const TEST_KIT = '<rootDir>/packages/tools/test-kit';

/** What all suites share. */
const shared = {
  rootDir: import.meta.dirname,
  testPathIgnorePatterns: ['/node_modules/'],
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
  // Another one, whose TypeScript names its files as they are when compiled. `tsconfig.base.json` has the same for the compiler.
  moduleNameMapper: {
    '^eventsource$': '<rootDir>/node_modules/.pnpm/node_modules/eventsource/dist/index.js',
  },
  testEnvironment: `${TEST_KIT}/leak-check-environment.mjs`,
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
};

/** What the suites share that need servers: one real PostgreSQL and one real Redis for the whole run. */
const withServers = {
  ...shared,
  globalSetup: `${TEST_KIT}/jest-global-setup.mjs`,
  globalTeardown: `${TEST_KIT}/jest-global-teardown.mjs`,
};

/** The suites. `pnpm test` runs `main`, `SUITE=faults pnpm test` runs `faults`. */
const suites = {
  main: {
    ...withServers,
    testMatch: [`${PACKAGE}/test/**/*.test.ts`],
    testPathIgnorePatterns: [
      '/node_modules/',
      '\\.scale\\.test\\.ts$',
      '/test/(abuse|faults|images|release|tools)/',
      `/test/(?!${CONSOLE_SESSION})browser/`,
      `/packages/tools/(${PROGRAMS.join('|')})/test/`,
    ],
  },
  /** The tests that need no server. Nothing is started or installed before them. */
  unit: { ...shared, testMatch: [`${PACKAGE}/test/**/*.unit.test.ts`] },
  /** What people do on the pages, in a real browser. */
  browser: {
    ...withServers,
    testMatch: [`${PACKAGE}/test/browser/**/*.test.ts`],
    testPathIgnorePatterns: ['/node_modules/', CONSOLE_SESSION],
  },
  /** Tests with up to a million rows: what each statement reads, and the memory of a large response. Also the whole bench, with few rows. */
  scale: { ...withServers, testMatch: [`${PACKAGE}/test/**/*.scale.test.ts`] },
  /** Tests that start, kill and stall processes and servers. They print a table of what was lost. */
  faults: { ...withServers, testMatch: [`${PACKAGE}/test/faults/**/*.test.ts`] },
  /** Tests in which one workspace or one client abuses the service. They print a table of what the others notice. */
  abuse: { ...withServers, testMatch: [`${PACKAGE}/test/abuse/**/*.test.ts`] },
  /** What other tools make of the product: Prisma's commands, code generators, Python, Schemathesis. Also the programs around the product. */
  tools: {
    ...withServers,
    testMatch: [
      `${PACKAGE}/test/tools/**/*.test.ts`,
      `<rootDir>/packages/tools/{${PROGRAMS.join(',')}}/test/**/*.test.ts`,
    ],
    testPathIgnorePatterns: ['/node_modules/', '/test/faults/', '\\.scale\\.test\\.ts$'],
  },
  /** The published packages, packed, and installed where there is nothing else. */
  release: { ...withServers, testMatch: [`${PACKAGE}/test/release/**/*.test.ts`] },
  /** The images of `docker/Dockerfile`, built and run. They bring their own servers. */
  images: { ...shared, testMatch: [`${PACKAGE}/test/images/**/*.test.ts`] },
};

/** How many test files run at once. An abuse test measures what a bystander notices; a scale test keeps a core busy. */
const MAX_WORKERS = { abuse: 1, scale: 2 };

export default {
  projects: Object.entries(suites).map(([displayName, suite]) => ({ displayName, ...suite })),
  reporters: [
    'default',
    '<rootDir>/packages/tools/system-tests/table-reporter.mjs',
    '<rootDir>/packages/tools/test-kit/jest-plain-summary.mjs',
  ],
  testSequencer: `${TEST_KIT}/longest-first-sequencer.mjs`,
  // Tests wait for servers, timeouts and processes. With two workers, a third of two cores is idle.
  maxWorkers: MAX_WORKERS[process.env.SUITE] ?? 3,
  // Jest keeps the modules of every file that a worker has run. A new worker takes a second.
  workerIdleMemoryLimit: '1GB',
  // A busy machine needs time to end a process. What keeps it from ending fails the test file (testEnvironment above).
  workerGracefulExitTimeout: 20_000,
  // Only ends what hangs: a busy machine takes several times as long as an idle one.
  testTimeout: 240_000,
};

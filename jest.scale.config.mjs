import config from './jest.config.mjs';

/** The tests with up to a million rows: what each statement reads, and what a large response needs. And the whole bench, with few. */
export default {
  ...config,
  testMatch: ['<rootDir>/{apps,packages}/*/test/**/*.scale.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Each keeps a core busy.
  maxWorkers: 2,
};

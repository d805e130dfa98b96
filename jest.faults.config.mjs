import config from './jest.config.mjs';

/** The tests that kill processes and servers under load, with a table of what it cost. */
export default {
  ...config,
  testMatch: ['<rootDir>/{apps,packages}/*/test/faults/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};

import config from './jest.config.mjs';

/** The tests that start, kill and stall processes and servers, with a table of what was lost. */
export default {
  ...config,
  testMatch: ['<rootDir>/{apps,packages}/*/test/faults/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};

import config, { WALK } from './jest.config.mjs';

/** What people do on the pages, in a real browser. */
export default {
  ...config,
  testMatch: ['<rootDir>/{apps,packages}/*/test/browser/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', WALK],
};

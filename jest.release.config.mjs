import config from './jest.config.mjs';

/** What leaves with a release, packed, and installed where there is nothing else. */
export default {
  ...config,
  testMatch: ['<rootDir>/packages/*/test/release/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};

import config from './jest.config.mjs';

/** The tests that need no server: nothing is started or installed before them. */
const { globalSetup: _setup, globalTeardown: _teardown, ...shared } = config;

export default {
  ...shared,
  testMatch: ['<rootDir>/{apps,packages}/*/test/**/*.unit.test.ts'],
  reporters: ['default', '<rootDir>/packages/test-kit/jest-plain-summary.mjs'],
};

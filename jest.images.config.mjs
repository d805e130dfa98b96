import config from './jest.config.mjs';

/** The images of `docker/Dockerfile`, built and run. They bring their own servers, so nothing is started before. */
const { globalSetup: _setup, globalTeardown: _teardown, ...shared } = config;

export default {
  ...shared,
  testMatch: ['<rootDir>/packages/system-tests/test/images/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  reporters: ['default', '<rootDir>/packages/test-kit/jest-plain-summary.mjs'],
};

import config from './jest.config.mjs';

/** The tests in which one workspace or one client abuses the service, with a table of what the others notice. */
export default {
  ...config,
  testMatch: ['<rootDir>/{apps,packages}/*/test/abuse/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // One file at a time: each measures what a bystander notices.
  maxWorkers: 1,
};

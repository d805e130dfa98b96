import config from './jest.config.mjs';

/** The tests that start, kill and stall processes and servers, with a table of what was lost. */
export default {
  ...config,
  testMatch: ['<rootDir>/{apps,packages}/*/test/faults/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // They wait a lot: for leases, ticks and connections. With two, a part of two cores is idle.
  maxWorkers: 3,
};

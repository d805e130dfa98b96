import config from './jest.config.mjs';

/** What other tools make of the product: Prisma's own commands, code generators, package managers, Python, Schemathesis. */
export default {
  ...config,
  testMatch: ['<rootDir>/{apps,packages}/*/test/tools/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};

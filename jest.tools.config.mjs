import config, { PROGRAMS } from './jest.config.mjs';

/**
 * What other tools make of the product: Prisma's own commands, code generators, package managers, Python, Schemathesis. And the
 * programs of this repository around the product.
 */
export default {
  ...config,
  testMatch: [
    '<rootDir>/{apps,packages}/*/test/tools/**/*.test.ts',
    `<rootDir>/packages/{${PROGRAMS.join(',')}}/test/**/*.test.ts`,
  ],
  testPathIgnorePatterns: ['/node_modules/', '/test/faults/', '\\.scale\\.test\\.ts$'],
};

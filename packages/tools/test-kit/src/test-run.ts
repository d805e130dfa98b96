/** The values that the global setup passes to every test process. */
export interface TestRun {
  /** Temporary folder of this run, removed at its end. */
  folder: string;
  /** The built apps and the packages that they use, in the layout of the checkout. */
  builtFolder: string;
  /** A database of the server on which test databases are created. */
  postgresUrl: string;
  redisUrl: string;
  /** A migrated database without data. */
  templateDatabase: string;
  /** Certificate authority of the test receivers. */
  caFile: string;
  /** Certificate of the test receivers. */
  certificateFile: string;
  certificateKeyFile: string;
}

const VARIABLE = 'DEAL_SIGNALS_TEST_RUN';

/** Publishes the run to this process and to every process that it starts later. */
export function publishTestRun(run: TestRun): void {
  process.env[VARIABLE] = JSON.stringify(run);
}

/**
 * Returns the run that this process belongs to.
 *
 * @throws Error outside `pnpm test`.
 */
export function currentTestRun(): TestRun {
  const text = process.env[VARIABLE];
  if (text === undefined)
    throw new Error('Run the tests with "pnpm test": it starts PostgreSQL and Redis first');
  return JSON.parse(text) as TestRun;
}

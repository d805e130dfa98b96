/** Ends the output with one machine-readable line. */
export default class PlainSummary {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    // A file that could not be run counts as one failure, because its tests are not counted.
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    // Prints after Jest's own summary, because this line must be the last.
    process.once('exit', () => process.stdout.write(`${numPassedTests} passed, ${failed} failed\n`));
  }
}

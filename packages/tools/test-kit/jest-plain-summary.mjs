/** Ends the output with one line that a script can read. */
export default class PlainSummary {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    // A file that could not be run counts as one failure, because its tests are not counted.
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    // Jest prints its own summary after this, and this line must be the last.
    process.once('exit', () => process.stdout.write(`${numPassedTests} passed, ${failed} failed\n`));
  }
}

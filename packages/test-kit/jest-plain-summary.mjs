/** Ends the run with one line that any script can read. */
export default class PlainSummary {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    // A file that could not be run at all counts as a failure: none of its tests is counted otherwise.
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    // Jest's own summary comes after its reporters were told, and this line shall be the last.
    process.once('exit', () => process.stdout.write(`${numPassedTests} passed, ${failed} failed\n`));
  }
}

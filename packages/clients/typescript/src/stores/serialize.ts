/**
 * Creates a function that runs functions one after the other. Each starts when the previous ones have finished or failed. It
 * returns what the function returns, and throws what it throws.
 */
export function createSerializer(): <Result>(run: () => Result | Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
}

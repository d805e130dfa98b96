/**
 * Creates a function that runs functions one after the other: each begins when those before it have ended, also with an error.
 * It returns what the function returns, and throws what it throws.
 */
export function createSerializer(): <Result>(run: () => Result | Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
}

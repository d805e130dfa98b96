/** Ends what the global setup started; both run in Jest's parent process. */
export default async function globalTeardown() {
  await globalThis.tearDownTestServices?.();
}

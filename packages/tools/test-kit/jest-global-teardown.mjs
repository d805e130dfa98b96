/** Stops what the global setup started; both run in Jest's main process. */
export default async function globalTeardown() {
  await globalThis.tearDownTestServices?.();
}

/** Stops what the global setup started. Both run in Jest's main process. */
export default async function globalTeardown() {
  await globalThis.tearDownTestServices?.();
}

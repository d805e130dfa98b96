import { register } from 'tsx/esm/api';

/** Loads tsx first, because Jest loads this file without its own transforms. */
export default async function globalSetup() {
  const unregister = register();
  const { setUp } = await import('./src/global-setup.ts');
  globalThis.tearDownTestServices = await setUp();
  await unregister();
}

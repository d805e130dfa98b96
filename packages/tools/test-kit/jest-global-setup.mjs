import { register } from 'tsx/esm/api';

/** Jest loads this file without its own transforms, so tsx has to make the TypeScript sources loadable. */
export default async function globalSetup() {
  const unregister = register();
  const { setUp } = await import('./src/global-setup.ts');
  globalThis.tearDownTestServices = await setUp();
  await unregister();
}

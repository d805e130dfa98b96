import { register } from 'tsx/esm/api';

/** Jest loads this file natively, so TypeScript and the packages' sources have to be made loadable here. */
export default async function globalSetup() {
  const unregister = register();
  const { setUp } = await import('./src/global-setup.ts');
  globalThis.tearDownTestServices = await setUp();
  await unregister();
}

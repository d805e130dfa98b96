import { PACKAGE_FOLDERS } from './package-folders.ts';

/** Returns the path of a test that documents mention without the folders above its package, such as `worker/test/…`. */
export function pathOfTest(name: string): string {
  if (name.startsWith('faults/')) return `packages/tools/system-tests/test/${name}`;
  const [owner = '', ...below] = name.split('/');
  const folder = PACKAGE_FOLDERS.find((one) => one.endsWith(`/${owner}`));
  return [folder ?? owner, ...below].join('/');
}

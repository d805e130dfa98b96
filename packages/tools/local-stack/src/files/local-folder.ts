import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the checkout. */
export const REPOSITORY_ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../../..');

/** The folder for the data, secrets and logs of this checkout's stack. */
export const LOCAL_FOLDER = path.join(REPOSITORY_ROOT, '.local');

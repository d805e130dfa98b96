import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout: four levels above this file. */
export const REPOSITORY_ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../..');

/** Everything that belongs to the stack of this checkout and to nobody else. */
export const LOCAL_FOLDER = path.join(REPOSITORY_ROOT, '.local');

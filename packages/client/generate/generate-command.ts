import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { feedColumnsSource, typesSource } from './generate.ts';

/** Writes the generated sources of the package. Run it after a change of the API's description. */
const folder = path.join(import.meta.dirname, '../src/generated');
writeFileSync(path.join(folder, 'api.ts'), await typesSource());
writeFileSync(path.join(folder, 'feed-columns.ts'), feedColumnsSource());

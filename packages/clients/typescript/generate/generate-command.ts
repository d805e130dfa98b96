import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.ts';

/** Writes all files that are generated from the API's description. Run it whenever the description changes. */
for (const [file, text] of await generatedFiles()) writeFileSync(file, text);

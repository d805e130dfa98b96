import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.ts';

/** Writes all files generated from the API's description. Run it after a change of the description. */
for (const [file, text] of await generatedFiles()) writeFileSync(file, text);

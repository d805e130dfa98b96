import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.ts';

/** Writes everything that is generated from the API's description. Run it after a change of the description. */
for (const [file, text] of await generatedFiles()) writeFileSync(file, text);

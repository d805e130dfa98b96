import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.ts';

/** Writes the types of the API. Run it after a change of a description. */
for (const [file, text] of await generatedFiles()) writeFileSync(file, text);

import { writeFile } from 'node:fs/promises';
import { captureJsonSchema } from '../records/json-schema.ts';

// Writes the JSON Schema of the records again, as a part of `pnpm generate`.
const file = new URL('../../../../docs/capture-records.schema.json', import.meta.url);
await writeFile(file, `${JSON.stringify(captureJsonSchema(), null, 2)}\n`);

import { writeFile } from 'node:fs/promises';
import { captureJsonSchema } from '../records/json-schema.ts';

// `pnpm capture-schema`, for developers: writes the JSON Schema of the records again. Run it after a change of record.ts.
const file = new URL('../../../../docs/capture-records.schema.json', import.meta.url);
await writeFile(file, `${JSON.stringify(captureJsonSchema(), null, 2)}\n`);

import { writeFile } from 'node:fs/promises';
import { ROUTES } from '../src/app.ts';
import { describeApi } from '../src/openapi/document.ts';
import { toPostmanCollection } from './convert.ts';

// Writes the Postman collection again, as a part of `pnpm generate`.
const file = new URL('../../../docs/deal-signals.postman_collection.json', import.meta.url);
const collection = await toPostmanCollection(describeApi(ROUTES));
await writeFile(file, `${JSON.stringify(collection, null, 2)}\n`);

import { writeFile } from 'node:fs/promises';
import { ROUTES } from '../src/app.ts';
import { describeApi } from '../src/openapi/document.ts';
import { toPostmanCollection } from './convert.ts';

// `pnpm postman`, for developers: writes the Postman collection again. Run it after a change of the API's description.
const file = new URL('../../../docs/deal-signals.postman_collection.json', import.meta.url);
const collection = await toPostmanCollection(describeApi(ROUTES));
await writeFile(file, `${JSON.stringify(collection, null, 2)}\n`);

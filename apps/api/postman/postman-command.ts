import { ROUTES } from '../src/app.ts';
import { describeApi } from '../src/openapi/document.ts';
import { toPostmanCollection } from './convert.ts';

// Prints the Postman collection of the API. The build of the guides publishes it.
const collection = await toPostmanCollection(describeApi(ROUTES));
process.stdout.write(`${JSON.stringify(collection, null, 2)}\n`);

import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Returns a function that returns whether a value is valid by a JSON Schema (2020-12). */
export function recordChecker(schema: object): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  const validate = ajv.compile(schema);
  return (value) => validate(JSON.parse(JSON.stringify(value)));
}

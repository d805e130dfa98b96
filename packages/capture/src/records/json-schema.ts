import { z } from 'zod';
import { type CaptureRecord, captureRecord, KINDS } from './record.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Returns the JSON Schema (2020-12) of a record as it is written in the input, made from the schemas that parse it. */
export function captureJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(captureRecord, {
    io: 'input',
    target: 'draft-2020-12',
    override: ({ zodSchema, jsonSchema }) => refine(zodSchema, jsonSchema),
  });
  for (const variant of schema.oneOf ?? []) describe(variant);
  return { ...schema, title: 'A record of Deal Signals' };
}

/** States what zod's conversion leaves out. */
function refine(zodSchema: z.core.$ZodTypes, json: JsonSchema): void {
  const { override, ...own } = json as JsonSchema & { override?: object };
  if (override !== undefined) replace(json, { ...own, ...override });
  // zod drops the defaults of schemas with a transformation.
  const value = z.globalRegistry.get(zodSchema)?.['default'];
  if (value !== undefined) json.default = value;
  // Unknown fields are errors, unless a caller asks for leniency.
  if (json.properties !== undefined) json.additionalProperties = false;
  // In stored JSON, the only place with such defaults, null counts as left out.
  if (zodSchema._zod.def.type === 'default' && !acceptsNull(json)) {
    const { default: given, ...rest } = json;
    replace(json, { anyOf: [rest, { type: 'null' }], default: given });
  }
}

function acceptsNull({ anyOf = [] }: JsonSchema): boolean {
  return anyOf.some((option) => typeof option === 'object' && option.type === 'null');
}

function replace(json: JsonSchema, by: object): void {
  for (const name of Object.keys(json)) delete json[name];
  for (const [name, value] of Object.entries(by)) if (value !== undefined) json[name] = value;
}

function describe(variant: JsonSchema): void {
  const record = variant.properties?.['record'] as JsonSchema;
  const required = KINDS[record.const as CaptureRecord['record']].newRow;
  if (required === undefined) return;
  variant.description = `A new row needs ${required.join(', ')}. For an existing one, the id and the changed fields do.`;
}

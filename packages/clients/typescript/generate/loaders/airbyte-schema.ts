import { type Description, resolve, type Schema } from '../generate.ts';

/** The formats that Airbyte's destinations support. */
const FORMATS = ['date-time', 'date'];

/**
 * Returns the lines of YAML with the JSON schema of a stream. Airbyte requires that every field may be null, and that new
 * fields are allowed.
 */
export function airbyteSchema(stream: string, description: Description, record: Schema): string[] {
  const { properties = {} } = resolve(description, record);
  const isNumbered = properties['id']?.$ref?.endsWith('/IntegerId');
  const fields = Object.entries(properties).flatMap(([field, schema]) => [
    ...fieldLines(description, field, schema, 3),
    // The manifest adds the id as a number, because the state of a stream compares numbers.
    ...(isNumbered && field === 'id' ? ["      position: { type: [integer, 'null'] }"] : []),
  ]);
  return [`  ${stream}:`, '    type: object', '    additionalProperties: true', '    properties:', ...fields];
}

function fieldLines(description: Description, field: string, schema: Schema, depth: number): string[] {
  const indent = '  '.repeat(depth);
  const value = resolve(description, schema.anyOf?.find(({ type }) => type !== 'null') ?? schema);
  const type = Array.isArray(value.type)
    ? value.type.find((one) => one !== 'null')
    : (value.type ?? 'string');
  if (value.properties !== undefined) {
    return [
      `${indent}${field}:`,
      `${indent}  type: [object, 'null']`,
      `${indent}  additionalProperties: true`,
      `${indent}  properties:`,
      ...Object.entries(value.properties).flatMap(([name, inner]) =>
        fieldLines(description, name, inner, depth + 2),
      ),
    ];
  }
  if (type === 'array') {
    const items = fieldLines(description, 'items', value.items ?? {}, depth + 1);
    const [item = ''] = items;
    if (items.length > 1) return [`${indent}${field}:`, `${indent}  type: [array, 'null']`, ...items];
    return [`${indent}${field}: { type: [array, 'null'], ${item.trim()} }`];
  }
  const format = FORMATS.includes(value.format ?? '') ? `, format: ${value.format}` : '';
  const isFree = type === 'object' ? ', additionalProperties: true' : '';
  return [`${indent}${field}: { type: [${type}, 'null']${format}${isFree} }`];
}

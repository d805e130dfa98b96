import type { Schema } from '../generate.ts';

/** Called for each object that has fields. Returns the name of its class. */
export type NameObject = (schema: Schema, name: string) => string;

/**
 * Returns the Python type of a schema.
 *
 * @param name the name for an object without a name of its own.
 * @throws Error for a form of schema that is not supported.
 */
export function pythonType(schema: Schema, name: string, nameObject: NameObject): string {
  const { $ref, anyOf, type } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? '';
  const options = anyOf ?? (Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : undefined);
  if (options !== undefined) {
    const others = options.filter((option) => option.type !== 'null');
    const names = [...new Set(others.map((option) => pythonType(option, name, nameObject)))];
    const union = names.length === 1 ? names.join() : `Union[${names.join(', ')}]`;
    return others.length < options.length ? `Optional[${union}]` : union;
  }
  if (schema.const !== undefined) return literal([schema.const]);
  if (schema.enum !== undefined) return literal(schema.enum);
  switch (type) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'array':
      return `List[${pythonType(schema.items ?? {}, name.replace(/s$/, ''), nameObject)}]`;
    case 'object':
      return schema.properties === undefined ? 'Dict[str, Any]' : nameObject(schema, name);
    case undefined:
      return 'Any';
    default:
      throw new Error(`unknown Python type for ${JSON.stringify(schema)}`);
  }
}

/** Wraps text for a comment or a docstring, in lines of at most `width` characters. */
export function wrapText(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = [lines.at(-1), word].filter(Boolean).join(' ');
    if (line.length > width && lines.at(-1) !== '') lines.push(word);
    else lines.splice(-1, 1, line);
  }
  return lines;
}

/** Converts a name from camel case to a class name. */
export function className(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1);
}

function literal(values: readonly unknown[]): string {
  return `Literal[${values
    .filter((value) => value !== null)
    .map((value) => JSON.stringify(value))
    .join(', ')}]`;
}

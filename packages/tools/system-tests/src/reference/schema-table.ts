import type { oas31 } from 'zod-openapi';
import { markdownTable } from './markdown-table.ts';

type Schema = oas31.SchemaObject | oas31.ReferenceObject;
export type Schemas = NonNullable<oas31.ComponentsObject['schemas']>;

interface Field {
  /** The path to the field, such as `owner.email` and `participants[].name`. */
  path: string;
  isRequired: boolean;
  schema: oas31.SchemaObject;
}

/** Builds a table of the fields of an object, with the fields of nested objects below them. */
export function fieldsTable(schema: Schema, schemas: Schemas): string {
  const fields = fieldsOf(resolve(schema, schemas), schemas, '');
  return markdownTable(
    ['Field', 'Type', 'Meaning'],
    fields.map((field) => [
      `\`${field.path}\`${field.isRequired ? '' : ' (optional)'}`,
      typeOf(field.schema, schemas),
      inCell(descriptionOf(field.schema, schemas) ?? ''),
    ]),
  );
}

const inCell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');

/** Resolves a reference to a schema. A description next to the reference replaces that of its target. */
export function resolve(schema: Schema, schemas: Schemas): oas31.SchemaObject {
  if (!isReference(schema)) return schema;
  const { $ref, ...own } = schema;
  const target = schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
  if (target === undefined) throw new Error(`${$ref}: no such schema`);
  return { ...resolve(target, schemas), ...own };
}

function isReference(schema: Schema): schema is oas31.ReferenceObject {
  return '$ref' in schema;
}

function fieldsOf(object: oas31.SchemaObject, schemas: Schemas, prefix: string): Field[] {
  const required = new Set(object.required);
  return Object.entries(object.properties ?? {}).flatMap(([name, property]) => {
    const schema = resolve(property, schemas);
    const path = prefix + name;
    const { object: inner, suffix } = objectIn(schema, schemas);
    const field = { path, isRequired: required.has(name), schema };
    return [field, ...(inner === null ? [] : fieldsOf(inner, schemas, `${path}${suffix}.`))];
  });
}

/** Finds the object that a field holds, that it may hold, or that its list holds. */
function objectIn(
  schema: oas31.SchemaObject,
  schemas: Schemas,
): { object: oas31.SchemaObject | null; suffix: string } {
  if (schema.properties) return { object: schema, suffix: '' };
  if (schema.items) {
    const inner = objectIn(resolve(schema.items, schemas), schemas);
    return { object: inner.object, suffix: `[]${inner.suffix}` };
  }
  for (const one of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) {
    const inner = objectIn(resolve(one, schemas), schemas);
    if (inner.object !== null) return inner;
  }
  return { object: null, suffix: '' };
}

/** Describes a type and its format in words. */
function typeOf(schema: oas31.SchemaObject, schemas: Schemas): string {
  const all = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  if (all.length > 0) return all.map((one) => typeOf(resolve(one, schemas), schemas)).join(' or ');
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.items) return `list of ${typeOf(resolve(schema.items, schemas), schemas)}`;
  return [schema.type ?? 'any'].flat().join(' or ') + (schema.format ? ` (${schema.format})` : '');
}

/** Returns the description of a field or, without one, that of the first alternative that has one. */
function descriptionOf(schema: oas31.SchemaObject, schemas: Schemas): string | undefined {
  if (schema.description !== undefined) return schema.description;
  const inner = (schema.anyOf ?? []).map((one) => resolve(one, schemas));
  return inner.find(({ description }) => description !== undefined)?.description;
}

import type { oas31 } from 'zod-openapi';
import { html, type Html, line } from './html.ts';

type Schema = oas31.SchemaObject | oas31.ReferenceObject;

/** The anchor of a component schema on the page. */
export const schemaAnchor = (name: string): string => `schema-${name}`;

/** Renders the fields of an object schema as a table, and any other schema as one line. */
export function renderSchema(schema: Schema | undefined): Html {
  if (schema === undefined) return html``;
  if ('$ref' in schema || schema.properties === undefined) return html`<p>${renderType(schema)}</p>`;
  const required = new Set(schema.required);
  return html`<table>
    <thead>
      <tr>
        <th>Field</th>
        <th>Type</th>
        <th>Meaning</th>
      </tr>
    </thead>
    <tbody>
      ${Object.entries(schema.properties).map(
        ([name, field]) =>
          html`<tr>
            <td>
              <code>${name}</code>${required.has(name) ? '' : html` <span class="soft">optional</span>`}
            </td>
            <td>${renderType(field)}</td>
            <td>${line(descriptionOf(field))}${renderInner(field)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Renders the type of a schema and its limits in words. */
export function renderType(schema: Schema): Html {
  if ('$ref' in schema) {
    const name = String(schema.$ref).slice(String(schema.$ref).lastIndexOf('/') + 1);
    return html`<a href="#${schemaAnchor(name)}">${name}</a>`;
  }
  if (schema.anyOf) return alternatives(schema.anyOf);
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`;
  if (schema.enum)
    return html`${separate(
      schema.enum.map((value) => html`<code>${String(value)}</code>`),
      ', ',
    )}`;
  if (schema.type === 'array' && schema.items) return html`array of ${renderType(schema.items)}`;
  const types = [schema.type ?? 'any'].flat().join(' or ');
  return html`${types}${schema.format ? ` (${schema.format})` : ''}${limits(schema)}`;
}

/** Renders the fields of an unnamed object below the field that contains it. */
function renderInner(schema: Schema): Html {
  const inner = innerObject(schema);
  return inner === undefined
    ? html``
    : html`<details>
        <summary>Fields</summary>
        ${renderSchema(inner)}
      </details>`;
}

function innerObject(schema: Schema): oas31.SchemaObject | undefined {
  if ('$ref' in schema) return undefined;
  if (schema.properties) return schema;
  const candidates = schema.anyOf ?? (schema.items ? [schema.items] : []);
  return candidates.map(innerObject).find((found) => found !== undefined);
}

function descriptionOf(schema: Schema): string | undefined {
  return schema.description;
}

function alternatives(schemas: readonly Schema[]): Html {
  return html`${separate(schemas.map(renderType), ' or ')}`;
}

function limits(schema: oas31.SchemaObject): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const range = (least: number | undefined, most: number | undefined, unit: string): string => {
    if (least !== undefined && most !== undefined) return `, ${least} to ${most}${unit}`;
    if (least !== undefined) return `, at least ${least}${unit}`;
    return most === undefined ? '' : `, at most ${most}${unit}`;
  };
  return [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    schema.default === undefined ? '' : `, default ${JSON.stringify(schema.default)}`,
  ].join('');
}

function separate(parts: readonly Html[], separator: string): (Html | string)[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
}

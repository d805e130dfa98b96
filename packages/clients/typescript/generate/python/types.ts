import { type Description, GENERATED, type Schema } from '../generate.ts';
import { className, pythonType, wrapText } from './type-names.ts';

const HEAD = `# ${GENERATED}
"""The types of the API's objects.

A field that has no value is None. Fields can be added at any time.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict
`;

/** Returns the Python source of the API's types: a `TypedDict` for each object. */
export function pythonTypesSource(description: Description): string {
  const aliases: string[] = [];
  const classes = new Map<string, string>();

  function addClass(schema: Schema, name: string): string {
    if (classes.has(name)) throw new Error(`two objects of the description would be called ${name}`);
    // Reserves its position before those of the objects inside it.
    classes.set(name, '');
    classes.set(name, classSource(schema, name, addClass));
    return name;
  }

  for (const [name, schema] of Object.entries(description.components.schemas)) {
    if (schema.properties !== undefined) addClass(schema, name);
    else aliases.push(...comment(schema, ''), `${name} = ${pythonType(schema, name, addClass)}`);
  }
  return `${HEAD}\n${aliases.join('\n')}\n\n\n${[...classes.values()].join('\n\n\n')}\n`;
}

function classSource(
  schema: Schema,
  name: string,
  addClass: (schema: Schema, name: string) => string,
): string {
  const { properties = {}, required = [] } = schema;
  const fields = (isRequired: boolean) =>
    Object.entries(properties)
      .filter(([field]) => required.includes(field) === isRequired)
      .flatMap(([field, type]) => [
        ...comment(type, '    '),
        `    ${field}: ${pythonType(type, name + className(field), addClass)}`,
      ]);
  const [always, sometimes] = [fields(true), fields(false)];
  const docstring = schema.description === undefined ? [] : [`    """${schema.description}."""`, ''];
  if (sometimes.length === 0) return [`class ${name}(TypedDict):`, ...docstring, ...always].join('\n');
  // Before Python 3.11, a field that may be missing needs a class of its own.
  return [
    `class _${name}(TypedDict):`,
    ...always,
    '',
    '',
    `class ${name}(_${name}, total=False):`,
    ...docstring,
    ...sometimes,
  ].join('\n');
}

function comment({ description }: Schema, indent: string): string[] {
  return description === undefined ? [] : wrapText(description, 100).map((line) => `${indent}#: ${line}`);
}

import {
  type Description,
  GENERATED,
  type Operation,
  resolve,
  responseSchema,
  type Schema,
  snakeCase,
} from '../generate.ts';
import { constantName } from './feeds.ts';
import { pythonType, wrapText } from './type-names.ts';

const READ = `    @abstractmethod
    def _read(self, path: str, query: Mapping[str, object], expected: Tuple[str, type]) -> Dict[str, Any]:
        """Returns the JSON object of a path. The object must have the expected field."""

    @abstractmethod
    def read_page(
        self,
        feed: Feed[R],
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        query: Optional[Mapping[str, object]] = None,
    ) -> Page[R]:
        """Reads a page of a feed."""`;

/** Returns the Python source of a class with one method for each operation that reads. */
export function pythonOperationsSource(description: Description): string {
  const types = new Set<string>();
  const feeds = new Set<string>();
  const methods = Object.entries(description.paths).flatMap(([path, { get, ...others }]) => {
    // Only automations register endpoints, and this client only reads.
    if (get === undefined || Object.keys(others).length > 0) return [];
    return methodSource(description, path, get, { types, feeds });
  });
  return `# ${GENERATED}
from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Dict, Literal, Mapping, Optional, Tuple, TypeVar, cast
from urllib.parse import quote

from .feed import Feed, Page
from .feeds import ${[...feeds].toSorted().join(', ')}
from .types import ${[...types].toSorted().join(', ')}

R = TypeVar("R")


class Operations(ABC):
    """One method for each operation that reads with an API key."""

${READ}

${methods.join('\n\n')}
`;
}

function methodSource(
  description: Description,
  path: string,
  operation: Operation,
  { types, feeds }: { types: Set<string>; feeds: Set<string> },
): string {
  const parameters = operation.parameters ?? [];
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const response = resolve(description, responseSchema(operation) ?? {});
  const data = response.properties?.['data'];
  const record = data?.items ?? data;
  const type = schemaName(record ?? responseSchema(operation));
  types.add(type);
  const segments = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => `{quote(${name}, safe='')}`);
  const from = segments === path ? `"${path}"` : `f"${segments}"`;
  let result = type;
  let body: string[];
  if (response.properties?.['nextCursor'] !== undefined) {
    if (inPath.length > 0) throw new Error(`${path} is a list of one object, which has no feed`);
    const feed = constantName(path.slice(1));
    feeds.add(feed);
    result = `Page[${type}]`;
    const filters = inQuery.filter(({ name }) => name !== 'cursor' && name !== 'limit');
    body = [
      `return self.read_page(`,
      `    ${feed},`,
      '    cursor=cursor,',
      '    limit=limit,',
      '    query={',
      ...filters.map(({ name }) => `        "${name}": ${name},`),
      '    },',
      ')',
    ];
  } else if (data === undefined) {
    body = [`return cast(${type}, self._read(${from}, {}, ("${objectField(response)}", dict)))`];
  } else {
    body = [`return cast(${type}, self._read(${from}, {}, ("data", dict))["data"])`];
  }
  const head = [
    'self',
    ...inPath.map(({ name }) => `${name}: str`),
    ...(inQuery.length > 0 ? ['*'] : []),
    ...inQuery.map(({ name, schema }) => `${name}: Optional[${parameterType(schema)}] = None`),
  ];
  const name = snakeCase(operation.operationId);
  const signature =
    inQuery.length === 0
      ? [`    def ${name}(${head.join(', ')}) -> ${result}:`]
      : [`    def ${name}(`, ...head.map((parameter) => `        ${parameter},`), `    ) -> ${result}:`];
  return [
    ...signature,
    ...docstring(operation, inQuery).map((line) => (line === '' ? '' : `        ${line}`)),
    ...body.map((line) => `        ${line}`),
  ].join('\n');
}

function docstring(operation: Operation, parameters: NonNullable<Operation['parameters']>): string[] {
  const described = parameters.flatMap(({ name, description }) =>
    wrapText(`${name}: ${sentence(description ?? '')}`, 100).map((line, n) =>
      n === 0 ? `    ${line}` : `        ${line}`,
    ),
  );
  const lines = [
    sentence(operation.summary),
    ...(operation.description === undefined ? [] : ['', ...wrapText(operation.description, 108)]),
    ...(described.length === 0 ? [] : ['', 'Args:', ...described]),
  ];
  if (lines.length === 1) return [`"""${lines.join()}"""`];
  return [`"""${lines[0]}`, ...lines.slice(1), '"""'];
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

function parameterType(schema: Schema): string {
  // A boolean in a query string is text, in the form in which httpx writes it.
  if (schema.enum?.join() === 'true,false') return 'bool';
  return pythonType(schema, '', () => {
    throw new Error('a parameter is an object');
  });
}

function schemaName(schema: Schema | undefined): string {
  const name = schema?.$ref?.split('/').at(-1);
  if (name === undefined) throw new Error(`an object of a response has no name: ${JSON.stringify(schema)}`);
  return name;
}

/** Returns the first field that is an object. It distinguishes the API's response from that of another server. */
function objectField({ properties = {} }: Schema): string {
  const field = Object.entries(properties).find(([, { type }]) => type === 'object')?.[0];
  if (field === undefined) throw new Error('a response has no field that is an object');
  return field;
}

import type { oas31 } from 'zod-openapi';

/**
 * Prepares the description for the reference. By default, Scalar sends every parameter that has an example, such as a cursor in
 * the middle of the feed, or the first value of an enumeration. Here, optional parameters start unchecked.
 */
export function documentForReference(document: oas31.OpenAPIObject): object {
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, operation]) => [method, leaveOutOptional(operation)]),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

function leaveOutOptional(operation: oas31.OperationObject): oas31.OperationObject {
  const parameters = operation.parameters?.map((parameter) => {
    if ('$ref' in parameter || parameter.required === true) return parameter;
    const { example: own, ...rest } = parameter;
    const { example = own, ...schema } = (parameter.schema ?? {}) as oas31.SchemaObject;
    const value: unknown = example ?? schema.enum?.[0];
    if (value === undefined) return parameter;
    return { ...rest, schema, examples: { example: { value, 'x-disabled': true } } };
  });
  return { ...operation, ...(parameters && { parameters }) };
}

import type { oas31 } from 'zod-openapi';
import { html } from './html.ts';
import { renderDocument, renderHeader } from './layout.ts';

/**
 * Renders the page that Scalar fills.
 *
 * @param stylesheet path of the stylesheet.
 * @param script path of the result of `referenceScript`.
 */
export function renderReference(stylesheet: string, script: string): string {
  return renderDocument({
    title: 'Reference',
    stylesheet,
    script,
    body: html`${renderHeader('Reference')}
      <div id="reference"></div>
      <noscript
        >The reference needs JavaScript. The description it is made from is
        <code>/api/v1/openapi.json</code>.</noscript
      >`,
  });
}

/**
 * The script of the page, which starts Scalar. With these options it asks nobody but this server: no fonts, no proxy
 * for requests, no statistics, no assistant. It keeps no credentials after the page is closed.
 *
 * @param scalar path of Scalar's module.
 * @param document path of the document that the page shows.
 */
export function referenceScript(scalar: string, document: string): string {
  const options = {
    url: document,
    telemetry: false,
    proxyUrl: '',
    withDefaultFonts: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    // The header has a link to the document for programs.
    documentDownloadType: 'none',
    // All pages follow the system.
    hideDarkModeToggle: true,
    persistAuth: false,
    authentication: { preferredSecurityScheme: 'apiKeyAuth' },
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  };
  return `import { createApiReference } from '${scalar}';\ncreateApiReference('#reference', ${JSON.stringify(options)});\n`;
}

/**
 * Prepares the description for the reference. Scalar would send every parameter that has an example, such as a cursor
 * in the middle of the feed, or the first value of an enumeration. Those that may be left out start unchecked instead.
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

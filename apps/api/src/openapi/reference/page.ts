import type { oas31 } from 'zod-openapi';
import { Html, html, line, prose } from './html.ts';
import { renderSchema, renderType, schemaAnchor } from './schema.ts';
import { STYLE } from './style.ts';

/** Kept out of the template, which may be reformatted: the security policy contains the hash of this exact text. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

const METHODS = ['get', 'post', 'patch', 'delete'] as const;

interface Entry {
  method: string;
  /** The path of an operation, or the event type of a webhook. */
  path: string;
  operation: oas31.OperationObject;
}

/** Renders an OpenAPI document as one self-contained HTML page, without scripts, fonts or images. */
export function renderReference(document: oas31.OpenAPIObject): string {
  const { info, tags = [], components = {} } = document;
  const entries = [...entriesOf(document.paths ?? {}), ...entriesOf(document.webhooks ?? {})];
  const groups = tags.map((tag) => ({
    tag,
    entries: entries.filter(({ operation }) => operation.tags?.includes(tag.name)),
  }));
  const schemas = Object.entries(components.schemas ?? {}).toSorted(([a], [b]) => a.localeCompare(b));
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <nav aria-label="Contents">
          <a href="#top"><strong>${info.title}</strong></a>
          ${groups.map(
            (group) =>
              html`<h2>${group.tag.name}</h2>
                <ul>
                  ${group.entries.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}
                </ul>`,
          )}
          <h2>Objects</h2>
          <ul>
            ${schemas.map(([name]) => html`<li><a href="#${schemaAnchor(name)}">${name}</a></li>`)}
          </ul>
        </nav>
        <main id="top">
          <h1>${info.title}</h1>
          <p class="soft">
            Contract date ${info.version}. Machine-readable description:
            <a href="openapi.json">openapi.json</a>
          </p>
          ${prose(info.description)}
          <h2>Authentication</h2>
          ${Object.entries(components.securitySchemes ?? {}).map(
            ([name, scheme]) =>
              html`<h4><code>${name}</code></h4>
                ${prose('description' in scheme ? scheme.description : '')}
                <p><code>Authorization: Bearer …</code></p>`,
          )}
          ${groups.map(
            (group) =>
              html`<section>
                <h2>${group.tag.name}</h2>
                ${prose(group.tag.description)}
                ${group.entries.map((entry) => renderEntry(entry, components))}
              </section>`,
          )}
          <section>
            <h2>Objects</h2>
            ${schemas.map(
              ([name, schema]) =>
                html`<h3 id="${schemaAnchor(name)}">${name}</h3>
                  ${prose('description' in schema ? schema.description : '')}${renderSchema(schema as oas31.SchemaObject)}`,
            )}
          </section>
        </main>
      </body>
    </html> `;
  return page.text;
}

function entriesOf(paths: oas31.PathsObject): Entry[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ method: method.toUpperCase(), path, operation }] : [];
    }),
  );
}

function renderEntry({ method, path, operation }: Entry, components: oas31.ComponentsObject): Html {
  const credentials = (operation.security ?? []).flatMap((requirement) => Object.keys(requirement));
  return html`<article>
    <h3 id="${operation.operationId}">${operation.summary}</h3>
    <p>
      <span class="method">${method}</span>
      <code>${path}</code>
      ${credentials.map((name) => html`<span class="soft"> with <code>${name}</code></span>`)}
      ${operation.deprecated && html`<strong> deprecated</strong>`}
    </p>
    ${prose(operation.description)}
    ${renderParameters((operation.parameters ?? []) as oas31.ParameterObject[])}
    ${renderBody(operation.requestBody as oas31.RequestBodyObject | undefined)}
    ${renderResponses(operation.responses ?? {}, components)}
  </article>`;
}

function renderParameters(parameters: readonly oas31.ParameterObject[]): Html {
  if (parameters.length === 0) return html``;
  return html`<h4>Parameters</h4>
    <table>
      <thead>
        <tr>
          <th>Name</th>
          <th>In</th>
          <th>Type</th>
          <th>Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${parameters.map(
          ({ name, in: place, required, schema, description }) =>
            html`<tr>
              <td><code>${name}</code>${required ? html` <span class="soft">required</span>` : ''}</td>
              <td>${place}</td>
              <td>${schema && renderType(schema)}</td>
              <td>${line(description)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function renderBody(body: oas31.RequestBodyObject | undefined): Html {
  const content = body?.content['application/json'];
  return content
    ? html`<h4>Body${body?.required ? '' : ', optional'}</h4>
        ${renderSchema(content.schema)}${renderExample(content.example)}`
    : html``;
}

function renderResponses(responses: oas31.ResponsesObject, components: oas31.ComponentsObject): Html {
  const rows = Object.entries(responses).map(([status, reference]) => {
    const response = resolve(reference, components);
    return { status, response, content: response.content?.['application/json'] };
  });
  return html`<h4>Responses</h4>
    <table>
      <thead>
        <tr>
          <th>Status</th>
          <th>Meaning</th>
          <th>Headers</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ status, response }) =>
            html`<tr>
              <td>${status}</td>
              <td>${prose(response.description)}</td>
              <td>${Object.keys(response.headers ?? {}).map((name) => html`<code>${name}</code> `)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${rows
      .filter(({ content }) => content?.example !== undefined)
      .map(
        ({ status, content }) =>
          html`<h4>${status}</h4>
            ${renderSchema(content?.schema)}${renderExample(content?.example)}`,
      )}`;
}

function resolve(
  response: oas31.ResponseObject | oas31.ReferenceObject,
  components: oas31.ComponentsObject,
): oas31.ResponseObject {
  if (!('$ref' in response)) return response;
  const name = response.$ref.slice(response.$ref.lastIndexOf('/') + 1);
  return components.responses?.[name] as oas31.ResponseObject;
}

function renderExample(example: unknown): Html {
  if (example === undefined) return html``;
  return html`<pre><code>${JSON.stringify(example, null, 2)}</code></pre>`;
}

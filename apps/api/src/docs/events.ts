import type { oas31 } from 'zod-openapi';
import { DELIVERY, describeEvents, type EventDescription } from '../openapi/webhooks.ts';
import { highlight } from './highlight.ts';
import { html, type Html, line } from './html.ts';
import { renderPage } from './layout.ts';
import { DOCS_PATH } from './places.ts';
import { renderFields, resolve } from './schema-table.ts';

type Schemas = NonNullable<oas31.ComponentsObject['schemas']>;

/** Renders the catalogue of events. Their schemas are those of the OpenAPI document. */
export function renderEvents(document: oas31.OpenAPIObject, stylesheet: string): string {
  const schemas = document.components?.schemas ?? {};
  const events = describeEvents();
  // All events have the same envelope, so it is shown once. What differs is `data`.
  const [envelope] = events.map((event) => bodyOf(event, schemas));
  const { data: _data, type: _type, ...shared } = envelope?.properties ?? {};
  return renderPage({
    title: 'Events',
    part: 'Events',
    stylesheet,
    sidebar: {
      label: 'Events',
      groups: [
        {
          title: 'All events',
          entries: [
            { href: '#deliveries', text: 'Deliveries' },
            { href: '#the-envelope', text: 'The envelope' },
          ],
        },
        { title: 'Event types', entries: events.map(({ type }) => ({ href: `#${type}`, text: type })) },
      ],
    },
    content: html`<h1>Events</h1>
      <p>
        What webhooks report. Subscribe an endpoint to some of these types, or to <code>*</code> for all, new
        types included. <a href="${DOCS_PATH}/guides/first-sync#add-webhooks">First sync</a> explains how to
        use events next to the feeds, and
        <a href="${DOCS_PATH}/guides/verifying-signatures">Verifying signatures</a> how to receive them.
      </p>
      <div class="scroll" role="group" aria-label="Event types" tabindex="0">
        <table>
          <thead>
            <tr>
              <th>Event type</th>
              <th>Sent when</th>
            </tr>
          </thead>
          <tbody>
            ${events.map(
              ({ type, sentWhen }) =>
                html`<tr>
                  <td>
                    <a href="#${type}"><code>${type}</code></a>
                  </td>
                  <td>${line(sentWhen)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <h2 id="deliveries">Deliveries</h2>
      <p>${line(DELIVERY)}</p>
      <h2 id="the-envelope">The envelope</h2>
      <p>
        Every event is a JSON object with these fields, its <code>type</code>, and <code>data</code>, which
        depends on the type.
      </p>
      ${renderFields({ ...envelope, properties: shared }, schemas)}
      ${events.map((event) => renderEvent(event, schemas))}`,
  });
}

function bodyOf({ schema }: EventDescription, schemas: Schemas): oas31.SchemaObject {
  return resolve({ $ref: `#/components/schemas/${schema}` }, schemas);
}

function renderEvent(event: EventDescription, schemas: Schemas): Html {
  const { type, sentWhen, note, example } = event;
  const data = bodyOf(event, schemas).properties?.['data'];
  return html`<section>
    <h2 id="${type}">
      <code>${type}</code> <a class="anchor" href="#${type}" aria-label="Link to ${type}">#</a>
    </h2>
    <p>${line(sentWhen)}. ${line(note)}</p>
    <h3>Fields of <code>data</code></h3>
    ${data && renderFields(data, schemas)}
    <h3>Example</h3>
    ${highlight(JSON.stringify(example, null, 2), 'json')}
  </section>`;
}

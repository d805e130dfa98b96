import type { oas31 } from 'zod-openapi';
import { ROUTES } from '../../../../../apps/api/src/app.ts';
import { describeApi } from '../../../../../apps/api/src/openapi/document.ts';
import {
  DELIVERY,
  describeEvents,
  type EventDescription,
} from '../../../../../apps/api/src/openapi/webhooks.ts';
import { markdownTable } from './markdown-table.ts';
import { fieldsTable, resolve, type Schemas } from './schema-table.ts';

/** Builds `docs/reference/events.md`: the catalogue of events, from the schemas of the OpenAPI document. */
export function eventsPage(): string {
  const schemas = describeApi(ROUTES).components?.schemas ?? {};
  const events = describeEvents();
  // All events have the same envelope, so it is shown once. Only `data` differs.
  const [envelope] = events.map((event) => bodyOf(event, schemas));
  const { data: _data, type: _type, ...shared } = envelope?.properties ?? {};
  return [
    '# Events\n',
    `What webhooks report. Subscribe an endpoint to some of these types, or to \`*\` for all, new types included.
[First sync](../first-sync.md#add-webhooks) explains how to use events next to the feeds, and
[Verifying signatures](../verifying-signatures.md) how to receive them.

This page is made from the code, by \`pnpm generate\`.\n`,
    markdownTable(
      ['Event type', 'Sent when'],
      events.map(({ type, sentWhen }) => [`\`${type}\``, sentWhen]),
    ),
    `## Deliveries\n\n${DELIVERY}\n`,
    `## The envelope\n
Every event is a JSON object with these fields, its \`type\`, and \`data\`, which depends on the type.\n`,
    fieldsTable({ ...envelope, properties: shared }, schemas),
    ...events.map((event) => eventSection(event, schemas)),
  ].join('\n');
}

function bodyOf({ schema }: EventDescription, schemas: Schemas): oas31.SchemaObject {
  return resolve({ $ref: `#/components/schemas/${schema}` }, schemas);
}

function eventSection(event: EventDescription, schemas: Schemas): string {
  const { type, sentWhen, note, example } = event;
  const data = bodyOf(event, schemas).properties?.['data'];
  return [
    `## \`${type}\`\n`,
    `${sentWhen}. ${note}`.trim() + '\n',
    `Fields of \`data\`:\n`,
    data === undefined ? '' : fieldsTable(data, schemas),
    `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n`,
  ].join('\n');
}

import type { Description } from './generate.ts';

interface Content {
  content: { 'application/json': { example: Record<string, unknown> } };
}

/** Returns the source of the samples that the Zapier app shows before there is data: the examples of the API. */
export function zapierSamplesSource(description: Description): string {
  const exampleOf = (content: Content) => content.content['application/json'].example;
  const responded = (path: string) =>
    exampleOf(description.paths[path]?.['get']?.responses?.['200'] as unknown as Content)['data'];
  const first = (path: string) => (responded(path) as unknown[])[0];
  const events = Object.entries(description.webhooks).map(([type, operation]) => [
    type,
    exampleOf((operation as { post: { requestBody: Content } }).post.requestBody),
  ]);
  const feeds = ['calls', 'decision-rooms', 'engagement/events', 'engagement/views'];
  const room = responded('/decision-rooms/{id}') as object;
  const constants = {
    EVENT_SAMPLES: Object.fromEntries(events) as object,
    FEED_SAMPLES: Object.fromEntries(feeds.map((feed) => [feed, first(`/${feed}`)])) as object,
    ROOM_SAMPLE: { ...room, metrics: responded('/decision-rooms/{id}/metrics') },
    PERSON_SAMPLE: first('/people'),
  };
  return [
    '// Generated from the OpenAPI description of the API by `pnpm generate`. Do not edit.',
    ...Object.entries(constants).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`),
    '',
  ].join('\n');
}

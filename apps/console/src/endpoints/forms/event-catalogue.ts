import { useQuery } from '@tanstack/react-query';
import { ApiFailure } from '../../api/failures.ts';

/** What the API's description says about an event type. */
export interface EventDescription {
  /** When the event is sent. */
  firesWhen: string;
  /** The body of a delivery, as indented JSON; null without an example. */
  example: string | null;
}

/**
 * The event types with their explanations, from the `webhooks` section of the API's description. The description is large, so
 * it is only loaded where events are chosen, and once.
 */
export function useEventCatalogue() {
  return useQuery({
    queryKey: ['event catalogue'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const response = await fetch('/api/v1/openapi.json', { signal });
      if (!response.ok) throw await ApiFailure.of(response);
      return readCatalogue(await response.json());
    },
  });
}

/** Reads the descriptions of the event types by their names. What is missing in the document is left out. */
export function readCatalogue(document: unknown): Map<string, EventDescription> {
  const webhooks = Object.entries(objectIn(document, 'webhooks'));
  return new Map(
    webhooks.map(([type, item]) => {
      const post = objectIn(item, 'post');
      const content = objectIn(objectIn(post, 'requestBody'), 'content');
      const { example } = objectIn(content, 'application/json') as { example?: unknown };
      const { summary } = post as { summary?: unknown };
      return [
        type,
        {
          firesWhen: typeof summary === 'string' ? summary : '',
          example: example === undefined ? null : JSON.stringify(example, null, 2),
        },
      ];
    }),
  );
}

function objectIn(value: unknown, name: string): object {
  if (typeof value !== 'object' || value === null) return {};
  const inner = (value as Record<string, unknown>)[name];
  return typeof inner === 'object' && inner !== null ? inner : {};
}

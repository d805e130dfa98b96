import { useQuery } from '@tanstack/react-query';
import { ApiFailure } from '../../api/failures.ts';

/** The description of an event type in the OpenAPI document. */
export interface EventDescription {
  /** When the event is sent. */
  firesWhen: string;
  /** The body of a delivery, as indented JSON; null if there is no example. */
  example: string | null;
}

/**
 * Returns the event types with their descriptions, from the `webhooks` section of the OpenAPI document. The document is large,
 * so it is loaded only where events are selected, and only once.
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

/** Reads the descriptions of the event types by their names. Leaves out types that the document does not have. */
export function readCatalogue(document: unknown): Map<string, EventDescription> {
  const webhooks = Object.entries(getObject(document, 'webhooks'));
  return new Map(
    webhooks.map(([type, item]) => {
      const post = getObject(item, 'post');
      const content = getObject(getObject(post, 'requestBody'), 'content');
      const { example } = getObject(content, 'application/json') as { example?: unknown };
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

function getObject(value: unknown, name: string): object {
  if (typeof value !== 'object' || value === null) return {};
  const inner = (value as Record<string, unknown>)[name];
  return typeof inner === 'object' && inner !== null ? inner : {};
}

import type { IDataObject, INodeProperties } from 'n8n-workflow';

/** The largest page that the API serves. */
const LARGEST_PAGE = 500;

/** The whole query of the next page: n8n puts it in the place of the query that the parameters make. */
const NEXT_PAGE = '={{ Object.assign({}, $request.qs, { cursor: $response.body?.nextCursor }) }}';

/**
 * How many records of a list are wanted: all of them, page by page, or a number.
 *
 * @param show when the list is loaded.
 */
export function howMany(show: Record<string, string[]>): INodeProperties[] {
  return [
    {
      displayName: 'Return All',
      name: 'returnAll',
      type: 'boolean',
      displayOptions: { show },
      default: false,
      description: 'Whether to return all results or only up to a given limit',
      routing: {
        send: { paginate: '={{ $value }}', type: 'query', property: 'limit', value: String(LARGEST_PAGE) },
        operations: {
          pagination: {
            type: 'generic',
            properties: {
              continue: '={{ $response.body.hasMore }}',
              request: { qs: NEXT_PAGE as unknown as IDataObject },
            },
          },
        },
      },
    },
    {
      displayName: 'Limit',
      name: 'limit',
      type: 'number',
      displayOptions: { show: { ...show, returnAll: [false] } },
      typeOptions: { minValue: 1, maxValue: LARGEST_PAGE },
      default: 50,
      description: 'Max number of results to return',
      routing: { send: { type: 'query', property: 'limit' } },
    },
  ];
}

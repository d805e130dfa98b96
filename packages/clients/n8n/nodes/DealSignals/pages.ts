import type { IDataObject, INodeProperties } from 'n8n-workflow';

/** The largest page that the API serves. */
const LARGEST_PAGE = 500;

/** The complete query of the next page: n8n replaces the query from the parameters with it. */
const NEXT_PAGE = '={{ Object.assign({}, $request.qs, { cursor: $response.body?.nextCursor }) }}';

/**
 * Returns the fields for the number of records of a list: all of them, page by page, or up to a limit.
 *
 * @param show the operations that show the fields.
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

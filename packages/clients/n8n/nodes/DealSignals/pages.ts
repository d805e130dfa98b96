import type { IDataObject, INodeProperties } from 'n8n-workflow';

/** The largest page that the API serves. */
const MAX_PAGE_SIZE = 500;

/** The complete query of the next page. n8n sends it instead of the query that the parameters produce. */
const NEXT_PAGE = '={{ Object.assign({}, $request.qs, { cursor: $response.body?.nextCursor }) }}';

/**
 * The parameters that choose how many records a list returns: all of them, page by page, or a limited number.
 *
 * @param show the resources and operations that these parameters are shown for.
 */
export function limitProperties(show: Record<string, string[]>): INodeProperties[] {
  return [
    {
      displayName: 'Return All',
      name: 'returnAll',
      type: 'boolean',
      displayOptions: { show },
      default: false,
      description: 'Whether to return all results or only up to a given limit',
      routing: {
        send: { paginate: '={{ $value }}', type: 'query', property: 'limit', value: String(MAX_PAGE_SIZE) },
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
      typeOptions: { minValue: 1, maxValue: MAX_PAGE_SIZE },
      default: 50,
      description: 'Max number of results to return',
      routing: { send: { type: 'query', property: 'limit' } },
    },
  ];
}

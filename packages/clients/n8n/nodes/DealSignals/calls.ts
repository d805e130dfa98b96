import type { INodeProperties } from 'n8n-workflow';

const CALL = { resource: ['call'] };
const PATH = '=/calls/{{ encodeURIComponent($parameter.callId) }}';

export const callProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: CALL },
    options: [
      {
        name: 'Get',
        value: 'get',
        action: 'Get a call',
        description: 'Get a call with its participants and its AI summary',
        routing: {
          request: { url: PATH },
          output: { postReceive: [{ type: 'rootProperty', properties: { property: 'data' } }] },
        },
      },
      {
        name: 'Get Summary',
        value: 'getSummary',
        action: 'Get the summary of a call',
        description: 'Get only the AI summary of a call. The result is empty if there is none.',
        routing: {
          request: { url: PATH },
          output: {
            postReceive: [
              { type: 'rootProperty', properties: { property: 'data' } },
              { type: 'filter', properties: { pass: '={{ $responseItem.hasSummary }}' } },
              { type: 'rootProperty', properties: { property: 'summary' } },
            ],
          },
        },
      },
    ],
    default: 'getSummary',
  },
  {
    displayName: 'Call ID',
    name: 'callId',
    type: 'string',
    displayOptions: { show: CALL },
    default: '',
    required: true,
  },
];

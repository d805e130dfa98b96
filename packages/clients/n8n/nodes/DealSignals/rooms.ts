import type { IExecuteSingleFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { limitProperties } from './pages';

const ROOM = { resource: ['room'] };
const GET = { ...ROOM, operation: ['get'] };
const GET_MANY = { ...ROOM, operation: ['getAll'] };

export const roomProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: ROOM },
    options: [
      {
        name: 'Get',
        value: 'get',
        action: 'Get a room',
        description: 'Get a buyer room with its metrics and its score',
        routing: {
          request: { url: '=/decision-rooms/{{ encodeURIComponent($parameter.roomId) }}' },
          output: { postReceive: [{ type: 'rootProperty', properties: { property: 'data' } }, withMetrics] },
        },
      },
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many rooms',
        description: 'Get the buyer rooms of the workspace, in the order of their last activity',
        routing: {
          request: { url: '/decision-rooms' },
          output: { postReceive: [{ type: 'rootProperty', properties: { property: 'data' } }] },
        },
      },
    ],
    default: 'get',
  },
  {
    displayName: 'Room ID',
    name: 'roomId',
    type: 'string',
    displayOptions: { show: GET },
    default: '',
    required: true,
  },
  {
    displayName: 'Include Metrics',
    name: 'includeMetrics',
    type: 'boolean',
    displayOptions: { show: GET },
    default: true,
    description: 'Whether to add the metrics of the room, with its engagement score',
  },
  ...limitProperties(GET_MANY),
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    displayOptions: { show: GET_MANY },
    placeholder: 'Add Filter',
    default: {},
    options: [
      {
        displayName: 'Status',
        name: 'status',
        type: 'options',
        options: [
          { name: 'Dormant', value: 'dormant' },
          { name: 'Lost', value: 'lost' },
          { name: 'Open', value: 'open' },
          { name: 'Won', value: 'won' },
        ],
        default: 'open',
        routing: { send: { type: 'query', property: 'status' } },
      },
      {
        displayName: 'Updated Since',
        name: 'updatedSince',
        type: 'dateTime',
        default: '',
        description: 'Only rooms that changed at or after this time',
        routing: {
          send: {
            type: 'query',
            property: 'updated_since',
            value: '={{ new Date($value).toISOString() }}',
          },
        },
      },
    ],
  },
];

/** Adds the metrics of a room in its field `metrics`. */
async function withMetrics(
  this: IExecuteSingleFunctions,
  rooms: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
  if (this.getNodeParameter('includeMetrics') !== true) return rooms;
  return Promise.all(
    rooms.map(async (room) => {
      const url = `/decision-rooms/${encodeURIComponent(String(room.json.id))}/metrics`;
      const { data } = await this.helpers.httpRequestWithAuthentication.call(this, 'dealSignalsApi', { url });
      return { ...room, json: { ...room.json, metrics: data } };
    }),
  );
}

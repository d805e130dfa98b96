import type { INodeProperties } from 'n8n-workflow';
import { limitProperties } from './pages';

const PERSON = { resource: ['person'] };
const GET_MANY = { ...PERSON, operation: ['getAll'] };

export const personProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: PERSON },
    options: [
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many people',
        description: 'Get the people of the workspace or of one room',
        routing: {
          request: { url: '/people' },
          output: { postReceive: [{ type: 'rootProperty', properties: { property: 'data' } }] },
        },
      },
    ],
    default: 'getAll',
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
        displayName: 'Room ID',
        name: 'roomId',
        type: 'string',
        default: '',
        description: 'Only the people of this room',
        routing: { send: { type: 'query', property: 'buyer_space_id' } },
      },
    ],
  },
];

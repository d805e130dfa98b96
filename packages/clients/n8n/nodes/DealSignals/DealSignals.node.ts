import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { callProperties } from './calls';
import { personProperties } from './people';
import { roomProperties } from './rooms';

/** The node that reads data of a workspace. */
export class DealSignals implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Deal Signals',
    name: 'dealSignals',
    icon: { light: 'file:../../icons/deal-signals.svg', dark: 'file:../../icons/deal-signals.dark.svg' },
    group: ['input'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Read buyer rooms, the people in them, and calls with their AI summaries',
    defaults: { name: 'Deal Signals' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'dealSignalsApi', required: true }],
    requestDefaults: { headers: { Accept: 'application/json' } },
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Call', value: 'call' },
          { name: 'Person', value: 'person' },
          { name: 'Room', value: 'room' },
        ],
        default: 'room',
      },
      ...roomProperties,
      ...personProperties,
      ...callProperties,
    ],
  };
}

import {
  NodeConnectionTypes,
  type IDataObject,
  type IHookFunctions,
  type IHttpRequestOptions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
} from 'n8n-workflow';
import { EVENT_OPTIONS } from './event-options';
import { errorCode, toApiError, wrongServerError } from './refusals';
import { isSigned } from './signatures';

/** The data that the node stores about its endpoint while the workflow is active. */
interface Endpoint extends IDataObject {
  id?: number;
  secret?: string;
  /** The time since which no event has started the workflow. */
  offSince?: string;
}

/** Starts a workflow when an event happens. It registers an endpoint of its own, so its API key needs that permission. */
export class DealSignalsTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Deal Signals Trigger',
    name: 'dealSignalsTrigger',
    icon: { light: 'file:../../icons/deal-signals.svg', dark: 'file:../../icons/deal-signals.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow as soon as something happens in a deal',
    defaults: { name: 'Deal Signals Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'dealSignalsApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName:
          'The API key needs the scope "webhooks". With a key that only reads, use the Deal Signals Polling Trigger.',
        name: 'notice',
        type: 'notice',
        default: '',
      },
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        options: EVENT_OPTIONS,
        default: [],
        required: true,
        description: 'The events that start the workflow',
      },
      {
        displayName: 'Catch Up',
        name: 'catchUp',
        type: 'boolean',
        default: false,
        description:
          'Whether the workflow, once it is active again, also starts for events that happened while it was inactive',
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { id } = getEndpoint(this);
        if (id === undefined) return false;
        const found = await call(this, 'GET', `/webhooks/${id}`);
        const { url, enabled, lastSuccessAt, createdAt } = (found?.data ?? {}) as IDataObject;
        if (enabled === false) getEndpoint(this).offSince = (lastSuccessAt ?? createdAt) as string;
        return url === this.getNodeWebhookUrl('default') && enabled === true;
      },

      async create(this: IHookFunctions): Promise<boolean> {
        // An endpoint that no longer fits, because it was disabled or the address of n8n changed, would otherwise stay
        // registered.
        await remove(this);
        const created = await call(this, 'POST', '/webhooks', {
          url: this.getNodeWebhookUrl('default'),
          events: this.getNodeParameter('events'),
          description: `n8n: ${this.getWorkflow().name ?? ''}`.slice(0, 200),
        });
        const { id } = (created?.data ?? {}) as Endpoint;
        // Without an id and a secret, the workflow would look active, but no event could start it.
        if (typeof id !== 'number' || typeof created?.secret !== 'string')
          throw wrongServerError(this.getNode());
        const endpoint = getEndpoint(this);
        const { offSince } = endpoint;
        Object.assign(endpoint, { id, secret: created.secret });
        delete endpoint.offSince;
        if (offSince !== undefined && this.getNodeParameter('catchUp', false) === true) {
          // Old deliveries are not kept. A start time before that must not prevent the activation of the workflow.
          await catchUp(this, id, offSince).catch(() => undefined);
        }
        return true;
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        await remove(this);
        getEndpoint(this).offSince = new Date().toISOString();
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    // A request that does not come from the API may have no body.
    const { rawBody = Buffer.alloc(0) } = this.getRequestObject();
    const { secret } = this.getWorkflowStaticData('node') as Endpoint;
    if (!secret || !isSigned(rawBody, this.getHeaderData(), secret, Date.now())) {
      this.getResponseObject().status(401).json({ error: 'the signature is not of this endpoint' });
      return { noWebhookResponse: true };
    }
    const event = this.getBodyData();
    // A test event only shows that deliveries arrive. It is not about any object.
    if (event.type === 'integration.ping') return { webhookResponse: 'OK' };
    return { workflowData: [this.helpers.returnJsonArray(event)] };
  }
}

function getEndpoint(hook: IHookFunctions): Endpoint {
  return hook.getWorkflowStaticData('node');
}

async function remove(hook: IHookFunctions): Promise<void> {
  const endpoint = getEndpoint(hook);
  if (endpoint.id !== undefined) await call(hook, 'DELETE', `/webhooks/${endpoint.id}`);
  delete endpoint.id;
  delete endpoint.secret;
}

/** Sends a new endpoint all events since a given time. */
async function catchUp(hook: IHookFunctions, id: number, since: string): Promise<void> {
  let page = await call(hook, 'POST', `/webhooks/${id}/replay-missing`, { since });
  while (page?.hasMore === true) {
    const { nextSince } = page;
    page = await call(hook, 'POST', `/webhooks/${id}/replay-missing`, { since, nextSince });
  }
}

/** Calls the API. Returns null if the endpoint no longer exists, for example because an admin has removed it. */
async function call(
  hook: IHookFunctions,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: IDataObject,
): Promise<IDataObject | null> {
  const options: IHttpRequestOptions = { method, url: path, json: true, ...(body && { body }) };
  try {
    return await hook.helpers.httpRequestWithAuthentication.call(hook, 'dealSignalsApi', options);
  } catch (error) {
    if (method !== 'POST' && errorCode(error) === 'NOT_FOUND') return null;
    throw toApiError(hook.getNode(), error);
  }
}

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
import { codeOf, otherServer, refusalOf } from './refusals';
import { isSigned } from './signatures';

/** What the node keeps of its endpoint between the activation and the deactivation of the workflow. */
interface Endpoint extends IDataObject {
  id?: number;
  secret?: string;
  /** Since when nothing starts the workflow. */
  offSince?: string;
}

/** Begins a workflow when an event happens: it registers an endpoint of its own, which its API key has to allow. */
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
          'Whether the workflow, once it is active again, also starts for what happened while it was not',
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { id } = endpointOf(this);
        if (id === undefined) return false;
        const found = await call(this, 'GET', `/webhooks/${id}`);
        const { url, enabled, lastSuccessAt, createdAt } = (found?.data ?? {}) as IDataObject;
        if (enabled === false) endpointOf(this).offSince = (lastSuccessAt ?? createdAt) as string;
        return url === this.getNodeWebhookUrl('default') && enabled === true;
      },

      async create(this: IHookFunctions): Promise<boolean> {
        // One that no longer fits, because it was disabled or n8n has another address now, would stay behind.
        await remove(this);
        const created = await call(this, 'POST', '/webhooks', {
          url: this.getNodeWebhookUrl('default'),
          events: this.getNodeParameter('events'),
          description: `n8n: ${this.getWorkflow().name ?? ''}`.slice(0, 200),
        });
        const { id } = (created?.data ?? {}) as Endpoint;
        // Without both, the workflow would look active, and no event would ever start it.
        if (typeof id !== 'number' || typeof created?.secret !== 'string') throw otherServer(this.getNode());
        const endpoint = endpointOf(this);
        const { offSince } = endpoint;
        Object.assign(endpoint, { id, secret: created.secret });
        delete endpoint.offSince;
        if (offSince !== undefined && this.getNodeParameter('catchUp', false) === true) {
          // Deliveries of a time that is too long ago are not kept. That must not keep the workflow from being active.
          await catchUp(this, id, offSince).catch(() => undefined);
        }
        return true;
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        await remove(this);
        endpointOf(this).offSince = new Date().toISOString();
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    // There is none if a stranger sends nothing.
    const { rawBody = Buffer.alloc(0) } = this.getRequestObject();
    const { secret } = this.getWorkflowStaticData('node') as Endpoint;
    if (!secret || !isSigned(rawBody, this.getHeaderData(), secret, Date.now())) {
      this.getResponseObject().status(401).json({ error: 'the signature is not of this endpoint' });
      return { noWebhookResponse: true };
    }
    const event = this.getBodyData();
    // A test event shows that deliveries arrive, and is about nothing.
    if (event.type === 'integration.ping') return { webhookResponse: 'OK' };
    return { workflowData: [this.helpers.returnJsonArray(event)] };
  }
}

function endpointOf(hook: IHookFunctions): Endpoint {
  return hook.getWorkflowStaticData('node');
}

async function remove(hook: IHookFunctions): Promise<void> {
  const endpoint = endpointOf(hook);
  if (endpoint.id !== undefined) await call(hook, 'DELETE', `/webhooks/${endpoint.id}`);
  delete endpoint.id;
  delete endpoint.secret;
}

/** Has everything sent to a new endpoint that happened since a time. */
async function catchUp(hook: IHookFunctions, id: number, since: string): Promise<void> {
  let page = await call(hook, 'POST', `/webhooks/${id}/replay-missing`, { since });
  while (page?.hasMore === true) {
    const { nextSince } = page;
    page = await call(hook, 'POST', `/webhooks/${id}/replay-missing`, { since, nextSince });
  }
}

/** Calls the API. Returns null if the API does not have the endpoint any more, for example because an admin has removed it. */
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
    if (method !== 'POST' && codeOf(error) === 'NOT_FOUND') return null;
    throw refusalOf(hook.getNode(), error);
  }
}

import {
  NodeConnectionTypes,
  type IDataObject,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IPollFunctions,
} from 'n8n-workflow';
import { toApiError, wrongServerError } from './refusals';

/** The largest page that the API serves. */
const MAX_PAGE_SIZE = 500;
/** Maximum number of pages per poll. The next poll reads the rest. */
const MAX_PAGES = 10;
/** How far back a manual run looks for sample records. */
const SAMPLE_MS = 30 * 86_400_000;
const SAMPLES = 5;

/** The query parameter of each feed that sets where reading begins. */
const SINCE: Record<string, string> = {
  calls: 'updated_since',
  'decision-rooms': 'updated_since',
  'engagement/events': 'since',
  'engagement/views': 'since',
};

/** Starts a workflow for new records of a feed. It stores the cursor of the feed, so nothing is missed between two polls. */
export class DealSignalsPollingTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Deal Signals Polling Trigger',
    name: 'dealSignalsPollingTrigger',
    icon: { light: 'file:../../icons/deal-signals.svg', dark: 'file:../../icons/deal-signals.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["feed"]}}',
    description: 'Starts the workflow for what is new, with an API key that only reads',
    defaults: { name: 'Deal Signals Polling Trigger' },
    polling: true,
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'dealSignalsApi', required: true }],
    properties: [
      {
        displayName: 'Feed',
        name: 'feed',
        type: 'options',
        options: [
          { name: 'Calls, New or Changed', value: 'calls' },
          { name: 'Engagement Events', value: 'engagement/events' },
          { name: 'Rooms, New or Changed', value: 'decision-rooms' },
          { name: 'Views', value: 'engagement/views' },
        ],
        default: 'engagement/events',
        description: 'What starts the workflow',
      },
    ],
  };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    const feed = this.getNodeParameter('feed') as string;
    const since = SINCE[feed] ?? 'since';
    if (this.getMode() === 'manual') {
      const from = new Date(Date.now() - SAMPLE_MS).toISOString();
      const { data } = await readPage(this, feed, { [since]: from, limit: SAMPLES });
      return asItems(this, data);
    }
    const state = this.getWorkflowStaticData('node');
    // A cursor is valid for one feed only.
    let cursor = state.feed === feed ? (state.cursor as string) : null;
    // The first poll, when the workflow is activated, only determines the current position of the feed.
    const isFirst = cursor === null;
    if (cursor === null) {
      cursor = (await readPage(this, feed, { [since]: new Date().toISOString(), limit: 1 })).nextCursor;
    }
    const records: IDataObject[] = [];
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const { data, nextCursor, hasMore } = await readPage(this, feed, { cursor, limit: MAX_PAGE_SIZE });
      if (!isFirst) records.push(...data);
      cursor = nextCursor;
      if (!hasMore) break;
    }
    Object.assign(state, { feed, cursor });
    return asItems(this, records);
  }
}

interface Page {
  data: IDataObject[];
  nextCursor: string;
  hasMore: boolean;
}

async function readPage(poll: IPollFunctions, feed: string, qs: IDataObject): Promise<Page> {
  let page: Partial<Page> | null;
  try {
    const request = { url: `/${feed}`, qs, json: true };
    page = await poll.helpers.httpRequestWithAuthentication.call(poll, 'dealSignalsApi', request);
  } catch (error) {
    throw toApiError(poll.getNode(), error);
  }
  if (!Array.isArray(page?.data) || typeof page.nextCursor !== 'string')
    throw wrongServerError(poll.getNode());
  return page as Page;
}

function asItems(poll: IPollFunctions, records: IDataObject[]): INodeExecutionData[][] | null {
  return records.length === 0 ? null : [poll.helpers.returnJsonArray(records)];
}

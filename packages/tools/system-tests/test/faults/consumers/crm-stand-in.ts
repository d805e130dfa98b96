import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A record of the CRM. */
export interface CrmRecord {
  id: string;
  properties: Record<string, string>;
}

/** A stand-in for the CRM: the requests of HubSpot's API that the example makes, with their limits. */
export interface Crm {
  url: string;
  deals: Map<string, CrmRecord>;
  contacts: Map<string, CrmRecord>;
  /** Pairs of a contact and its deal, by their ids. */
  associations: Set<string>;
  /** The number of requests received. */
  requests: number;
  /** What it does instead of responding to a request, before or after the write. Set by a test. */
  disturb: ((request: number) => 'busy' | 'die before' | 'die after' | null) | null;
  /** Ends the program that writes. Set by a test. */
  kill: () => void;
  close(): Promise<void>;
}

interface Input {
  idProperty: string;
  id: string;
  properties: Record<string, string>;
}

interface Answer {
  status: number;
  body: object;
}

/** The limit of HubSpot: https://developers.hubspot.com/docs/api-reference/latest/crm/objects/deals/batch/upsert-deals */
const LARGEST_BATCH = 100;

/** Starts a CRM without records. */
export async function startCrm(): Promise<Crm> {
  let nextId = 1;
  const uniqueProperties = new Set<string>();
  const unique: Record<string, string> = { deals: 'deal_signals_room_id', contacts: 'email' };

  function upsert(type: 'deals' | 'contacts', inputs: Input[]): Answer {
    const key = unique[type] ?? '';
    const isValid =
      inputs.length > 0 &&
      inputs.length <= LARGEST_BATCH &&
      new Set(inputs.map(({ id }) => id)).size === inputs.length &&
      inputs.every(({ idProperty, id, properties }) => idProperty === key && properties[key] === id);
    if (!isValid || !uniqueProperties.has(type)) return { status: 400, body: { status: 'error' } };
    const results = inputs.map(({ id, properties }) => {
      const known = crm[type].get(id) ?? { id: String(nextId++), properties: {} };
      crm[type].set(id, { ...known, properties: { ...known.properties, ...properties } });
      return { id: known.id, properties };
    });
    return { status: 200, body: { status: 'COMPLETE', results } };
  }

  function associate(inputs: { from: { id: string }; to: { id: string } }[]): Answer {
    const has = (records: Map<string, CrmRecord>, id: string) =>
      [...records.values()].some((one) => one.id === id);
    if (!inputs.every(({ from, to }) => has(crm.contacts, from.id) && has(crm.deals, to.id))) {
      return { status: 400, body: { status: 'error' } };
    }
    for (const { from, to } of inputs) crm.associations.add(`${from.id} ${to.id}`);
    return { status: 200, body: { status: 'COMPLETE', results: [] } };
  }

  function search({ propertyName, value }: { propertyName: string; value: string }): CrmRecord[] {
    return [...crm.contacts.values()].filter((one) => one.properties[propertyName] === value);
  }

  /** Deletes a contact with its associations. */
  function remove(contactId: string): Answer {
    const [email] = [...crm.contacts].find(([, one]) => one.id === contactId) ?? [];
    if (email === undefined) return { status: 404, body: {} };
    crm.contacts.delete(email);
    for (const pair of crm.associations) if (pair.startsWith(`${contactId} `)) crm.associations.delete(pair);
    return { status: 204, body: {} };
  }

  function answer(path: string, body: any): Answer {
    switch (path) {
      case '/crm/v3/properties/contacts':
      case '/crm/v3/properties/deals': {
        const type = path.slice('/crm/v3/properties/'.length);
        const status = uniqueProperties.has(type) ? 409 : 201;
        if (body.hasUniqueValue === true) uniqueProperties.add(type);
        return { status, body: {} };
      }
      case '/crm/v3/objects/contacts/search':
        return { status: 200, body: { results: search(body.filterGroups[0].filters[0]) } };
      case '/crm/v3/objects/contacts/gdpr-delete':
        return remove(body.objectId);
      case '/crm/v3/objects/deals/batch/upsert':
        return upsert('deals', body.inputs);
      case '/crm/v3/objects/contacts/batch/upsert':
        return upsert('contacts', body.inputs);
      case '/crm/v4/associations/contacts/deals/batch/associate/default':
        return associate(body.inputs);
      default:
        return { status: 404, body: {} };
    }
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: unknown = JSON.parse(await text(request));
    crm.requests += 1;
    const disturbance = crm.disturb?.(crm.requests);
    if (disturbance === 'die before') crm.kill();
    else if (disturbance === 'busy') response.writeHead(429).end('{}');
    else if (request.headers.authorization !== 'Bearer crm-token') response.writeHead(401).end('{}');
    else {
      const answered = answer(request.url ?? '', body);
      if (disturbance === 'die after') crm.kill();
      else if (answered.status === 204) response.writeHead(204).end();
      else response.writeHead(answered.status).end(JSON.stringify(answered.body));
    }
  }

  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const crm: Crm = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deals: new Map(),
    contacts: new Map(),
    associations: new Set(),
    requests: 0,
    disturb: null,
    kill: () => undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return crm;
}

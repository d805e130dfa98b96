import { z } from 'zod';

const apiKeySchema = z.object({ key: z.string() });
const endpointSchema = z.object({ id: z.int(), url: z.string(), enabled: z.boolean() });

export type Endpoint = z.infer<typeof endpointSchema>;

/** The part of the management API that the demo needs, called as one admin of one workspace. */
export interface ManagementClient {
  createApiKey(name: string): Promise<string>;
  listEndpoints(): Promise<Endpoint[]>;
  /** Creates an endpoint that is subscribed to every event type. */
  createEndpoint(url: string, description: string): Promise<{ id: number; secret: string }>;
  updateEndpoint(id: number, changes: { url?: string; enabled?: boolean }): Promise<void>;
}

const TIMEOUT_MS = 15_000;

/** Opens a client for the management API. Its methods throw an Error with the API's response if a request fails. */
export function openManagement(apiUrl: string, sessionToken: string): ManagementClient {
  async function call<T>(method: string, path: string, schema: z.ZodType<T>, body?: unknown): Promise<T> {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${sessionToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} failed with status ${response.status}: ${text}`);
    return schema.parse(JSON.parse(text));
  }

  return {
    async createApiKey(name) {
      return (await call('POST', '/api-keys', apiKeySchema, { name })).key;
    },
    async listEndpoints() {
      return (await call('GET', '/webhooks', z.object({ data: z.array(endpointSchema) }))).data;
    },
    async createEndpoint(url, description) {
      const created = await call(
        'POST',
        '/webhooks',
        z.object({ secret: z.string(), data: endpointSchema }),
        { url, description, events: ['*'] },
      );
      return { id: created.data.id, secret: created.secret };
    },
    async updateEndpoint(id, changes) {
      await call('PATCH', `/webhooks/${id}`, z.object({ data: endpointSchema }), changes);
    },
  };
}

/** Whether the API accepts a key. */
export async function isApiKeyValid(apiUrl: string, apiKey: string): Promise<boolean> {
  const response = await fetch(`${apiUrl}/status`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.arrayBuffer();
  return response.ok;
}

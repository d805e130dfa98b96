import path from 'node:path';
import { z } from 'zod';
import { readJson, writePrivateJson } from '../files/private-file.ts';

const accessSchema = z.object({
  companies: z.record(
    z.string(),
    z.object({ apiKey: z.string(), endpoint: z.object({ id: z.int(), secret: z.string() }) }),
  ),
});

/** Credentials that must survive a restart, because the API shows keys and signing secrets only once. */
type Access = z.infer<typeof accessSchema>;

const accessFile = (folder: string): string => path.join(folder, 'demo.json');
const endpointSchema = z.object({ id: z.int(), url: z.string(), enabled: z.boolean() });
const TIMEOUT_MS = 15_000;

/**
 * Creates an API key and an endpoint for a demo workspace, through the API as any admin would. The endpoint points to the
 * demo's receiver. The key and the endpoint of an earlier start are reused if they still work.
 *
 * @returns the key, and the secrets that verify deliveries to the receiver.
 * @throws Error with the API's response if a request fails.
 */
export async function openCompanyAccess(options: {
  folder: string;
  apiUrl: string;
  companyId: number;
  sessionToken: string;
  receiverUrl: string;
}): Promise<{ apiKey: string; signingSecret: string }> {
  const { folder, apiUrl, companyId, receiverUrl, sessionToken } = options;
  async function manage<T>(
    method: string,
    resource: string,
    schema: z.ZodType<T>,
    body?: object,
  ): Promise<T> {
    const response = await ask(method, apiUrl + resource, sessionToken, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${resource} failed with status ${response.status}: ${text}`);
    return schema.parse(JSON.parse(text));
  }
  const access = await readAccess(folder);
  const kept = access.companies[companyId];

  let apiKey = kept?.apiKey;
  if (apiKey === undefined || !(await ask('GET', `${apiUrl}/status`, apiKey)).ok) {
    const created = z.object({ key: z.string() });
    // The key has all scopes, so that each command of the guides works.
    const body = { name: 'Local demo', scopes: ['read', 'webhooks'] };
    apiKey = (await manage('POST', '/api-keys', created, body)).key;
  }

  let endpoint = kept?.endpoint;
  const { data } = await manage('GET', '/webhooks', z.object({ data: z.array(endpointSchema) }));
  const registered = data.find(({ id }) => id === endpoint?.id);
  if (endpoint === undefined || registered === undefined) {
    const description = 'Receiver of the local demo';
    const created = await manage(
      'POST',
      '/webhooks',
      z.object({ secret: z.string(), data: endpointSchema }),
      {
        url: receiverUrl,
        description,
        events: ['*'],
      },
    );
    endpoint = { id: created.data.id, secret: created.secret };
  } else if (registered.url !== receiverUrl || !registered.enabled) {
    await manage('PATCH', `/webhooks/${endpoint.id}`, z.unknown(), { url: receiverUrl, enabled: true });
  }

  access.companies[companyId] = { apiKey, endpoint };
  await writePrivateJson(accessFile(folder), access);
  return { apiKey, signingSecret: endpoint.secret };
}

function ask(method: string, url: string, token: string, body?: object): Promise<Response> {
  return fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

/** Returns the signing secrets of an earlier start, whose pending deliveries may arrive before the demo has set up its access. */
export async function rememberedSecrets(folder: string): Promise<string[]> {
  const { companies } = await readAccess(folder);
  return Object.values(companies).map(({ endpoint }) => endpoint.secret);
}

/** Ignores a missing or damaged file: the demo can always create new keys. */
async function readAccess(folder: string): Promise<Access> {
  const kept = await readJson(accessFile(folder), accessSchema, 'delete it').catch(() => undefined);
  return kept ?? { companies: {} };
}

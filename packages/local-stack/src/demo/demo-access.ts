import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '../files/private-file.ts';
import { isApiKeyValid, openManagement } from './management-client.ts';

const accessSchema = z.object({
  companies: z.record(
    z.string(),
    z.object({
      apiKey: z.string(),
      endpoint: z.object({ id: z.int(), secret: z.string() }),
    }),
  ),
});

/** What a restart has to remember, because the API shows keys and signing secrets only once. */
type Access = z.infer<typeof accessSchema>;

export interface CompanyAccess {
  apiKey: string;
  /** Verifies deliveries to the demo's receiver. */
  signingSecret: string;
}

const KEY_NAME = 'Local demo';
const ENDPOINT_DESCRIPTION = 'Receiver of the local demo';

/**
 * Creates an API key and an endpoint for a demo workspace, through the API as any admin would. The endpoint points to
 * the demo's receiver. The key and the endpoint of an earlier start are reused if they still work.
 */
export async function openCompanyAccess(options: {
  folder: string;
  apiUrl: string;
  companyId: number;
  sessionToken: string;
  receiverUrl: string;
}): Promise<CompanyAccess> {
  const { folder, apiUrl, companyId, receiverUrl } = options;
  const management = openManagement(apiUrl, options.sessionToken);
  const access = await readAccess(folder);
  const kept = access.companies[companyId];

  const apiKey =
    kept !== undefined && (await isApiKeyValid(apiUrl, kept.apiKey))
      ? kept.apiKey
      : await management.createApiKey(KEY_NAME);

  let endpoint = kept?.endpoint;
  const registered = (await management.listEndpoints()).find(({ id }) => id === endpoint?.id);
  if (endpoint === undefined || registered === undefined) {
    endpoint = await management.createEndpoint(receiverUrl, ENDPOINT_DESCRIPTION);
  } else if (registered.url !== receiverUrl || !registered.enabled) {
    await management.updateEndpoint(endpoint.id, { url: receiverUrl, enabled: true });
  }

  access.companies[companyId] = { apiKey, endpoint };
  await writePrivateFile(accessFile(folder), `${JSON.stringify(access, null, 2)}\n`);
  return { apiKey, signingSecret: endpoint.secret };
}

/** The signing secrets of an earlier start. Its pending deliveries may arrive before the demo has set up its access. */
export async function rememberedSecrets(folder: string): Promise<string[]> {
  const { companies } = await readAccess(folder);
  return Object.values(companies).map(({ endpoint }) => endpoint.secret);
}

/** Ignores a missing or damaged file: the demo can always create new keys. */
async function readAccess(folder: string): Promise<Access> {
  try {
    return accessSchema.parse(JSON.parse(await readFile(accessFile(folder), 'utf8')));
  } catch {
    return { companies: {} };
  }
}

function accessFile(folder: string): string {
  return path.join(folder, 'demo.json');
}

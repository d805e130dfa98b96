import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { isApiKeyGood, openManagement } from './management-client.ts';
import { writePrivateFile } from '../files/private-file.ts';

const accessSchema = z.object({
  companies: z.record(
    z.string(),
    z.object({
      apiKey: z.string(),
      endpoint: z.object({ id: z.int(), secret: z.string() }),
    }),
  ),
});

/** What a restart must remember, since the API shows keys and signing secrets only once. */
type Access = z.infer<typeof accessSchema>;

export interface CompanyAccess {
  apiKey: string;
  /** Verifies the deliveries to the demo's receiver. */
  signingSecret: string;
}

const KEY_NAME = 'Local demo';
const ENDPOINT_DESCRIPTION = 'Receiver of the local demo';

/**
 * Gets a demo workspace an API key and a webhook endpoint that points to the receiver, through the API like any admin.
 * Those of an earlier start are used again as long as they are good.
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
    kept !== undefined && (await isApiKeyGood(apiUrl, kept.apiKey))
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

/** The signing secrets of an earlier start: what it left pending comes before the workspaces are opened again. */
export async function rememberedSecrets(folder: string): Promise<string[]> {
  const { companies } = await readAccess(folder);
  return Object.values(companies).map(({ endpoint }) => endpoint.secret);
}

/** A file that is missing or damaged costs no more than new keys. */
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

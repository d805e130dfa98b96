import { readStackFile } from '../files/stack-file.ts';

/**
 * Adds the URL and the API key of the running stack's first demo workspace to an environment. An environment that names the
 * API is left alone, and so is one without a running demo.
 */
export async function withDemoAccess(
  environment: NodeJS.ProcessEnv,
  localFolder: string,
): Promise<NodeJS.ProcessEnv> {
  // An empty variable counts as absent.
  if (environment['DEAL_SIGNALS_URL'] || environment['DEAL_SIGNALS_API_KEY']) return environment;
  const stack = await readStackFile(localFolder);
  const company = stack?.companies[0];
  if (stack === undefined || company === undefined) return environment;
  return { ...environment, DEAL_SIGNALS_URL: stack.apiUrl, DEAL_SIGNALS_API_KEY: company.apiKey };
}

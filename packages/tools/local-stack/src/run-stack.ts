import { rm } from 'node:fs/promises';
import path from 'node:path';
import { migrate } from '@deal-signals/db/migrations/migrate';
import type { StartOptions } from './commands/start-options.ts';
import { rememberedSecrets } from './demo/demo-access.ts';
import { type Demo, startDemo, startReceiver } from './demo/demo.ts';
import { sessionParties } from './demo/sign-session-token.ts';
import { openLocalSecrets } from './files/local-secrets.ts';
import { writePrivateFile } from './files/private-file.ts';
import { type Stack, removeStackFile, writeStackFile } from './files/stack-file.ts';
import {
  appEnvironment,
  captureAccess,
  certificateBundle,
  sessionTokenSecret,
} from './processes/app-environment.ts';
import { type AppName, appUrl, startApp, untilReady } from './processes/app-process.ts';
import { reloadOnChange } from './processes/app-reload.ts';
import { buildConsole, buildGuides } from './processes/build-sites.ts';
import type { Closers } from './processes/closers.ts';
import { lockInstance } from './processes/instance-lock.ts';
import { explainFailure, type ServiceProcess, stopRecordedService } from './processes/service-process.ts';
import {
  type CertificateAuthority,
  issueCertificate,
  openCertificateAuthority,
} from './servers/certificates.ts';
import { findFreePort, onFreePort } from './servers/ports.ts';
import { createDatabaseIfMissing, type PostgresServer, startPostgres } from './servers/postgres.ts';
import { type RedisServer, startRedis } from './servers/redis.ts';

export interface StackRun {
  /** Where the stack keeps its data, secrets and logs. */
  folder: string;
  environment: NodeJS.ProcessEnv;
  closers: Closers;
  /** Aborts every wait with its reason. */
  signal: AbortSignal;
  /** Ends the run because of a failure. */
  fail: (error: Error) => void;
  /** Aborts the wait for the orderly stop of the apps. */
  hurry: AbortSignal;
  /** Shows the user one line. */
  say: (line: string) => void;
  /** Called with each delivery to the demo's receiver. */
  onDelivery: Parameters<typeof startReceiver>[0]['onDelivery'];
}

export interface RunningStack {
  stack: Stack;
  /** Starts the demo's story. */
  beginStory: () => void;
  /** A record that causes a webhook when it is captured; only with the demo. */
  firstRecord?: object | undefined;
}

const DATABASE = 'deal_signals';
const POSTGRES_PORT = 15_432;
const REDIS_PORT = 16_379;
const CAPTURE_PORT = 3003;
const API_PATH = '/api/v1';

/**
 * Starts the whole product. Everything that it starts is in `run.closers`, even if it throws.
 *
 * @throws Error that describes the failure; the reason of `run.signal` if that comes first.
 */
export async function runStack(options: StartOptions, run: StackRun): Promise<RunningStack> {
  const { folder, closers, environment, say } = run;
  const lock = await lockInstance(folder);
  closers.add('the lock', () => lock.release());
  await stopLeftovers(folder, say);
  const secrets = await openLocalSecrets(folder);
  const sessionSecret = sessionTokenSecret(environment, secrets);
  if (options.demo && sessionSecret === undefined) {
    throw new Error(
      'The demo signs its own session tokens: set SESSION_JWT_SECRET instead, or start with --no-demo',
    );
  }
  if (options.fresh) await dropData(folder);

  await untilStopped(run, buildConsole());
  const databaseUrl = options.databaseUrl ?? (await openPostgres(run));
  const redisUrl = options.redisUrl ?? (await openRedis(run, options.install));
  const applied = await migrate(databaseUrl);
  run.signal.throwIfAborted();
  if (applied.length > 0) say(`Migrations applied: ${applied.length}.`);

  const authority = await openCertificateAuthority(folder);
  await writeReceiverCertificate(authority, folder);
  const receiver = options.demo ? await startReceiver({ authority, onDelivery: run.onDelivery }) : undefined;
  if (receiver !== undefined) {
    closers.add('the receiver', () => receiver.close());
    for (const secret of await rememberedSecrets(folder)) receiver.addSecret(secret);
  }

  const capture = captureAccess(environment, secrets);
  const settings = {
    databaseUrl,
    redisUrl,
    capturePort:
      Number(environment['CAPTURE_PORT']) || (await findFreePort(options.port === 0 ? 0 : CAPTURE_PORT)),
    captureTokens: capture.tokens,
    secrets,
    caFile: await certificateBundle(environment, authority, folder),
    allowDemoReceiver: options.demo,
  };
  const { apiPort, workerPort } = await onFreePort(options.port, (port) =>
    openApps(run, appEnvironment(environment, { ...settings, port }), options.reload),
  );
  if (options.port !== 0 && apiPort !== options.port)
    say(`Port ${options.port} is taken: the API is on ${apiPort}.`);

  const apiUrl = `${appUrl(apiPort)}${API_PATH}`;
  const stack: Stack = {
    apiUrl,
    workerUrl: appUrl(workerPort),
    captureUrl: appUrl(settings.capturePort),
    captureToken: capture.token,
    databaseUrl,
    redisUrl,
    caFile: authority.certificateFile,
    companies: [],
  };
  let demo: Demo | undefined;
  if (receiver !== undefined && sessionSecret !== undefined) {
    const session = { sessionSecret, sessionParties: sessionParties(environment) };
    demo = await untilStopped(
      run,
      startDemo({ folder, apiUrl, databaseUrl, ...session, receiver, say, closers }),
    );
    stack.companies = demo.companies;
  }
  // On two cores, building the guides in parallel would double the start time. The API serves them once they are built.
  buildGuides(run.signal).catch((error: unknown) => {
    if (!run.signal.aborted) say(`The guides were not built: ${(error as Error).message}`);
  });
  closers.add('stack.json', () => removeStackFile(folder));
  await writeStackFile(folder, stack);
  return { stack, beginStory: demo?.beginStory ?? (() => {}), firstRecord: demo?.firstRecord };
}

/** Writes a certificate for receivers on this machine (`localhost.crt`, `localhost.key`). The worker trusts it. */
async function writeReceiverCertificate(authority: CertificateAuthority, folder: string): Promise<void> {
  const { cert, key } = await issueCertificate(authority, ['localhost', '127.0.0.1']);
  await writePrivateFile(path.join(folder, 'localhost.key'), key);
  await writePrivateFile(path.join(folder, 'localhost.crt'), cert);
}

/** Stops the processes that a killed start left running, the apps before their servers, and removes its stack file. */
async function stopLeftovers(folder: string, say: (line: string) => void): Promise<void> {
  await removeStackFile(folder);
  let hasStopped = false;
  for (const file of [
    'api.process.json',
    'worker.process.json',
    'redis/process.json',
    'postgres/process.json',
  ])
    hasStopped = (await stopRecordedService(path.join(folder, file))) || hasStopped;
  if (hasStopped) say('Stopped processes that an earlier start had left running.');
}

/** Keeps the secrets and the certificate authority: they belong to the checkout, not to the data. */
async function dropData(folder: string): Promise<void> {
  for (const name of ['postgres', 'redis', 'demo.json']) {
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

async function openPostgres(run: StackRun): Promise<string> {
  const dataDir = path.join(run.folder, 'postgres');
  const server = await openServer(run, POSTGRES_PORT, (port) => startPostgres({ dataDir, port }));
  await createDatabaseIfMissing(server.url('postgres'), DATABASE);
  return server.url(DATABASE);
}

async function openRedis(run: StackRun, mayInstall: boolean): Promise<string> {
  const options = { dataDir: path.join(run.folder, 'redis'), say: run.say, mayInstall };
  return (await openServer(run, REDIS_PORT, (port) => startRedis({ ...options, port }))).url;
}

/** Starts a server on the first free port. The end of the server ends the run. */
async function openServer<Server extends PostgresServer | RedisServer>(
  run: StackRun,
  preferredPort: number,
  start: (port: number) => Promise<Server>,
): Promise<Server> {
  const server = await onFreePort(preferredPort, start);
  const { name } = server.process;
  run.closers.add(name, () => server.stop());
  watch(run, server.process);
  run.signal.throwIfAborted();
  run.say(`${name} is up on port ${server.port}.`);
  return server;
}

/**
 * Starts the API and the worker and waits until both are ready. If one of them fails, it stops both.
 *
 * @param reload whether to restart an app when its sources change.
 * @returns the ports that they announced.
 */
async function openApps(
  run: StackRun,
  environment: NodeJS.ProcessEnv,
  reload: boolean,
): Promise<{ apiPort: number; workerPort: number }> {
  const settings = { ...environment };
  const services = new Map<AppName, ServiceProcess>();
  const start = async (app: AppName) => {
    const file = path.join(run.folder, app);
    const files = { logFile: `${file}.log`, recordFile: `${file}.process.json` };
    const service = await startApp(app, { environment: settings, ...files });
    services.set(app, service);
    return service;
  };
  const stop = () => Promise.all(Array.from(services.values(), (service) => service.stop()));
  const kill = () => services.forEach((service) => service.kill());
  run.hurry.addEventListener('abort', kill);
  try {
    const api = await start('api');
    const worker = await start('worker');
    const [apiPort, workerPort] = await untilStopped(run, Promise.all([untilReady(api), untilReady(worker)]));
    // stack.json names this port, so a restarted worker has to use the same one.
    settings['WORKER_PORT'] = String(workerPort);
    run.closers.add('the apps', stop);
    if (reload) {
      const untilUp = (service: ServiceProcess) => untilStopped(run, untilReady(service));
      const endReload = reloadOnChange({ ...run, services, start, untilUp });
      run.closers.add('the watch of the sources', endReload);
    } else {
      for (const service of services.values()) watch(run, service);
    }
    return { apiPort, workerPort };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Ends the whole run when a service ends before it is told to. */
function watch(run: StackRun, service: ServiceProcess): void {
  void service.exited
    .then(() => explainFailure(service))
    .then((what) => run.signal.aborted || run.fail(new Error(what)), run.fail);
}

/** Waits for work that may be abandoned when the run ends. */
function untilStopped<T>({ signal }: StackRun, work: Promise<T>): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.throwIfAborted();
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    }),
  ]);
}

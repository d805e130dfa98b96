import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { until } from '@deal-signals/test-kit/until';
import {
  composeServices,
  environmentOf,
  interpolate,
  type Service,
  type ServiceName,
} from './compose-file.ts';
import { podman, run } from './engine.ts';
import { openNetwork } from './network.ts';

export interface Container {
  /** Its address in the network of the stack. */
  readonly address: string;
  /** Runs a program in the container, as its user. Returns the standard output. */
  exec(...command: string[]): Promise<string>;
  /** Returns the milliseconds from the start of its process until its HTTP server reports that it is ready. */
  untilReady(port: number): Promise<number>;
  output(): Promise<string>;
  /** The process id of its main process on this machine. */
  pid(): Promise<number>;
  /** The peak memory of its main process, in bytes. */
  peakMemory(): Promise<number>;
  /** The memory limit of the container, in bytes. */
  memoryLimit(): Promise<number>;
  /**
   * Runs the health check of its image.
   *
   * @throws Error if it fails.
   */
  checkHealth(): Promise<unknown>;
  /** Stops the container as Compose does, which kills it after the grace period. Returns the exit code and the duration. */
  stop(): Promise<{ exitCode: number; elapsedMs: number }>;
}

/** The services of the compose file, in containers, with the images of the test. */
export interface ContainerStack {
  readonly gateway: string;
  /** Starts a container of a service and returns at once. */
  start(name: ServiceName): Promise<Container>;
  /**
   * Runs another command of the image in a container of a service, as `docker compose run` does.
   *
   * @returns the standard output.
   * @throws Error with the output if it fails.
   */
  runToEnd(name: ServiceName, ...command: string[]): Promise<string>;
  /** Runs the health check of a service until it succeeds. */
  untilHealthy(name: ServiceName, container: Container): Promise<void>;
  close(): Promise<void>;
}

/** The prefix of the names of containers and volumes. The id of the process that they belong to follows. */
const PREFIX = 'deal-signals-images-';
/** Passed explicitly, because Podman fails where the limits of this process are lower than its defaults. */
const PROCESS_LIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];

/**
 * Opens the network in which services of `docker/compose.yaml` are started.
 *
 * @param images the images of the test, by service.
 * @param variables the variables that are exported before `docker compose up`.
 */
export async function openContainerStack(
  images: Record<ServiceName, string>,
  variables: (gateway: string) => Record<string, string>,
): Promise<ContainerStack> {
  await removeLeftovers();
  const network = await openNetwork();
  const services = composeServices();
  const given = variables(network.gateway);
  const project = `${PREFIX}${process.pid}`;
  const started: string[] = [];
  const volumes = new Set<string>();
  /** The servers by the names under which the apps reach them. */
  const hosts = new Map<ServiceName, string>();

  /** Returns the options of `podman run` for a service of the compose file. */
  function optionsOf(service: Service): string[] {
    const mounts = (service.volumes ?? []).map((volume) => {
      const [source = '', ...rest] = interpolate(volume, given).split(':');
      if (source.startsWith('.')) return [path.join(REPOSITORY_ROOT, 'docker', source), ...rest].join(':');
      if (source.startsWith('/')) return [source, ...rest].join(':');
      volumes.add(`${project}-${source}`);
      return [`${project}-${source}`, ...rest].join(':');
    });
    return [
      ...(service.read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
      // Podman has no option for the owner of such a folder, which lets the user of the service write to it.
      ...service.tmpfs.flatMap((mount) => ['--tmpfs', mount.replace(/:uid=.*$/, ':mode=1777')]),
      ...service.cap_drop.map((capability) => `--cap-drop=${capability}`),
      // Podman accepts this option only without a value.
      ...service.security_opt.map((option) => `--security-opt=${option.replace(/:true$/, '')}`),
      `--pids-limit=${service.pids_limit}`,
      `--restart=${service.restart}`,
      `--memory=${interpolate(service.mem_limit, given)}`,
      ...(service.shm_size === undefined ? [] : [`--shm-size=${service.shm_size}`]),
      ...(service.user === undefined ? [] : [`--user=${service.user}`]),
      ...(service.stop_grace_period === undefined
        ? []
        : [`--stop-timeout=${Number.parseInt(interpolate(service.stop_grace_period, given), 10)}`]),
      ...mounts.flatMap((mount) => ['--volume', mount]),
      ...Object.entries(environmentOf(service, given)).flatMap(([name, value]) => [
        '--env',
        `${name}=${value}`,
      ]),
    ];
  }

  async function create(
    name: ServiceName,
    mode: string[],
    service: Service,
    command = service.command?.map((word) => word.replaceAll('$$', '$')) ?? [],
  ): Promise<{ id: string; address: string; said: string }> {
    const place = await network.join();
    if (name === 'postgres' || name === 'redis') hosts.set(name, place.address);
    const id = `${project}-${name}-${started.length + 1}`;
    started.push(id);
    const said = await podman(
      'run',
      ...mode,
      ...PROCESS_LIMITS,
      `--name=${id}`,
      `--network=ns:${place.namespace}`,
      ...[...hosts].map(([host, address]) => `--add-host=${host}:${address}`),
      ...optionsOf(service),
      images[name],
      ...command,
    );
    return { id, address: place.address, said };
  }

  return {
    gateway: network.gateway,
    async start(name) {
      const { id, address } = await create(name, ['--detach'], services[name]);
      return containerOf(id, address);
    },
    async runToEnd(name, ...command) {
      return (await create(name, ['--rm'], { ...services[name], restart: 'no' }, command)).said;
    },
    async untilHealthy(name, container) {
      const [kind, ...check] = services[name].healthcheck?.test ?? [];
      if (kind !== 'CMD') throw new Error(`${name} has no health check in the compose file`);
      await until(`${name} to be healthy`, () =>
        container.exec(...check).then(
          () => true,
          () => false,
        ),
      );
    },
    async close() {
      if (started.length > 0) await podman('rm', '--force', '--ignore', '--time=0', ...started);
      for (const volume of volumes) await podman('volume', 'rm', '--force', volume);
      await network.close();
    },
  };
}

/** Removes the containers and volumes of processes that were killed. */
async function removeLeftovers(): Promise<void> {
  const leftOf = (names: string) =>
    names.split('\n').filter((name) => {
      const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
      return pid !== undefined && !existsSync(`/proc/${pid}`);
    });
  const containers = leftOf(await podman('ps', '--all', '--format', '{{.Names}}'));
  if (containers.length > 0) await podman('rm', '--force', '--time=0', ...containers);
  for (const volume of leftOf(await podman('volume', 'ls', '--quiet'))) await podman('volume', 'rm', volume);
}

/** Runs a command in an image without the options of the compose file. Returns the standard output. */
export function runInImage(image: string, command: string, ...args: string[]): Promise<string> {
  return podman(
    'run',
    '--rm',
    ...PROCESS_LIMITS,
    '--network=none',
    `--entrypoint=${command}`,
    image,
    ...args,
  );
}

function containerOf(id: string, address: string): Container {
  const inspect = (format: string) => podman('container', 'inspect', '--format', format, id);
  const output = () => run('sh', '-c', `podman logs ${id} 2>&1`);
  const pid = async () => Number(await inspect('{{.State.Pid}}'));
  return {
    address,
    exec: (...command) => podman('exec', id, ...command),
    async untilReady(port) {
      await until(`${id} to be ready`, () =>
        fetch(`http://${address}:${port}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ).catch(async (error: Error) => {
        throw new Error(`${error.message}\n${(await output()).slice(-3_000)}`, { cause: error });
      });
      const readyAt = Date.now();
      // The format is 2026-11-26 06:40:00.123456789 +0000 UTC, which not every parser accepts.
      const [, day, time] = /^(\S+) (\d+:\d+:\d+\.\d{3})/.exec(await inspect('{{.State.StartedAt}}')) ?? [];
      return readyAt - Date.parse(`${day}T${time}Z`);
    },
    output,
    pid,
    async peakMemory() {
      const status = readFileSync(`/proc/${await pid()}/status`, 'utf8');
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
    },
    async memoryLimit() {
      // The files of the first and the second version of control groups.
      const files = '/sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max';
      return Number(await podman('exec', id, 'sh', '-c', `cat ${files} 2>/dev/null; true`));
    },
    checkHealth: () => podman('healthcheck', 'run', id),
    async stop() {
      const from = performance.now();
      await podman('stop', id);
      const elapsedMs = performance.now() - from;
      return { exitCode: Number(await inspect('{{.State.ExitCode}}')), elapsedMs };
    },
  };
}

import { randomInt } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { run } from './engine.ts';

const NAMESPACES = '/run/netns';

/** A network of containers on this machine, each with an address of its own. */
export interface ContainerNetwork {
  /** The address at which the containers reach this process. */
  readonly gateway: string;
  /** Adds a member to the network. A restarted container keeps its membership. */
  join(): Promise<NetworkMember>;
  /** Removes the network with all members. */
  close(): Promise<void>;
}

export interface NetworkMember {
  readonly address: string;
  /** Path of its network namespace. */
  readonly namespace: string;
}

/**
 * Opens a bridge with the tools of Linux. Podman would do the same, but requires a firewall program, which a bare machine
 * lacks. The network is internal: the containers reach only each other and this machine.
 */
export async function openNetwork(): Promise<ContainerNetwork> {
  await removeLeftovers();
  // The name of an interface is limited to 15 characters. It contains the process id of its owner.
  const bridge = `dsi${process.pid}`;
  const prefix = `10.${randomInt(64, 250)}.${randomInt(1, 250)}`;
  const gateway = `${prefix}.1`;
  await run('ip', 'link', 'add', bridge, 'type', 'bridge');
  await run('ip', 'address', 'add', `${gateway}/24`, 'dev', bridge);
  await run('ip', 'link', 'set', bridge, 'up');
  let members = 0;
  return {
    gateway,
    async join() {
      members += 1;
      const name = `${bridge}-${members}`;
      const address = `${prefix}.${members + 1}`;
      const [outer, inner] = [`${bridge}o${members}`, `${bridge}i${members}`];
      await run('ip', 'netns', 'add', name);
      await run('ip', 'link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', name);
      await run('ip', 'link', 'set', outer, 'master', bridge, 'up');
      const inside = ['-netns', name];
      await run('ip', ...inside, 'link', 'set', 'lo', 'up');
      await run('ip', ...inside, 'address', 'add', `${address}/24`, 'dev', inner);
      await run('ip', ...inside, 'link', 'set', inner, 'up');
      return { address, namespace: `${NAMESPACES}/${name}` };
    },
    async close() {
      // Deleting a namespace deletes its interfaces.
      for (let n = 1; n <= members; n += 1) await run('ip', 'netns', 'delete', `${bridge}-${n}`);
      await run('ip', 'link', 'delete', bridge);
    },
  };
}

/** Removes the networks of processes that were killed. Deleting a namespace deletes its interfaces. */
async function removeLeftovers(): Promise<void> {
  const isLeft = (name: string) => {
    const [, pid] = /^dsi(\d+)(-\d+)?$/.exec(name) ?? [];
    return pid !== undefined && !existsSync(`/proc/${pid}`);
  };
  const namespaces = existsSync(NAMESPACES) ? readdirSync(NAMESPACES).filter(isLeft) : [];
  for (const name of namespaces) await run('ip', 'netns', 'delete', name);
  for (const name of readdirSync('/sys/class/net').filter(isLeft)) await run('ip', 'link', 'delete', name);
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import type { RedisNode } from './redis-nodes.ts';

const PAGE = readFileSync(path.join(REPOSITORY_ROOT, 'docs/operators/operations.md'), 'utf8');
/** The password of the users of both apps. */
export const REDIS_USER_PASSWORD = 'p@ss';

/** Creates the users with the commands of the operators' page. */
export async function createRedisUsers(node: RedisNode): Promise<void> {
  const commands = /^```redis\n([\s\S]*?)^```/m.exec(PAGE)?.[1] ?? '';
  for (const line of commands.trim().split('\n')) {
    const [name = '', ...args] = line.replace('>PASSWORD', `>${REDIS_USER_PASSWORD}`).split(' ');
    await node.command(name, ...args);
  }
}

/** Returns the part of a URL that logs in as the user of an app. */
export function asRedisUser(app: 'worker' | 'api'): string {
  return `signals-${app}:${encodeURIComponent(REDIS_USER_PASSWORD)}@`;
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import type { Client } from 'pg';

/** The roles of docker/postgres-roles.sql. */
export type Role = 'signals_owner' | 'signals_app';

/** The passwords contain characters that have to be escaped in a statement and in a URL. */
const PASSWORDS: Readonly<Record<Role, string>> = { signals_owner: "own'er@", signals_app: 'app/%' };

/** Runs docker/postgres-roles.sql on a connection, as psql does. */
export async function grantToRoles(client: Client, given = PASSWORDS): Promise<void> {
  const script = readFileSync(path.join(REPOSITORY_ROOT, 'docker/postgres-roles.sql'), 'utf8');
  const passwords = { owner_password: given.signals_owner, app_password: given.signals_app };
  const statements = script
    // Replaces the commands that psql executes itself.
    .replaceAll(/^\\.*$/gm, '')
    .replaceAll(/:'(\w+)'/g, (_, name: keyof typeof passwords) => client.escapeLiteral(passwords[name]));
  await client.query(statements);
}

/** Returns the URL of a database for a role instead of the superuser. */
export function urlFor(role: Role, url: string, given = PASSWORDS): string {
  return Object.assign(new URL(url), { username: role, password: encodeURIComponent(given[role]) }).href;
}

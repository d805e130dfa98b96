import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import type { Client } from 'pg';

/** The roles of docker/postgres-roles.sql. */
export type Role = 'signals_owner' | 'signals_app';

/** With characters that have to be escaped in a statement and in a URL. */
const PASSWORDS: Record<Role, string> = { signals_owner: "own'er@", signals_app: 'app/%' };

/**
 * Runs docker/postgres-roles.sql in the database of a connection. The roles belong to the whole server, so they are created in
 * the first database alone, and a server that was there before the run keeps them.
 */
export async function grantToRoles(client: Client): Promise<void> {
  const script = readFileSync(path.join(REPOSITORY_ROOT, 'docker/postgres-roles.sql'), 'utf8');
  const passwords = { owner_password: PASSWORDS.signals_owner, app_password: PASSWORDS.signals_app };
  const statements = script
    // What psql does itself.
    .replaceAll(/^\\.*$/gm, '')
    .replaceAll(/:'(\w+)'/g, (_, name: keyof typeof passwords) => client.escapeLiteral(passwords[name]))
    .replaceAll(
      /^CREATE ROLE .*;$/gm,
      (create) => `DO $role$ BEGIN ${create} EXCEPTION WHEN duplicate_object THEN NULL; END $role$;`,
    );
  await client.query(statements);
}

/** The URL of a database for a role instead of the superuser. */
export function urlFor(role: Role, url: string): string {
  return Object.assign(new URL(url), { username: role, password: encodeURIComponent(PASSWORDS[role]) }).href;
}

import { DATABASE_URL_FORM, isDatabaseUrl } from '@deal-signals/db/database-url';
import { setting, wholeNumber } from '@deal-signals/runtime/settings';
import { z } from 'zod';

/** The settings that say where the database is; part of each app's object. */
export const databaseVariables = {
  DATABASE_URL: setting(z.string({ error: DATABASE_URL_FORM }).refine(isDatabaseUrl, DATABASE_URL_FORM), {
    about: 'where PostgreSQL is; with `pgbouncer=true` behind a [pooler](operations.md#connection-poolers)',
    form: '`postgresql://user@host:port/name`',
    isRequired: true,
  }),
  // Read by the driver.
  PGPASSWORD: setting(z.string(), {
    about: 'the password for a `DATABASE_URL` without one; here, no character needs escaping',
    form: 'any text',
    isSecret: true,
  }),
};

/** Declares how many connections to the database a process has. */
export function databasePoolSize(bounds: { least: number; most: number }) {
  return wholeNumber({
    ...bounds,
    preset: 10,
    about: 'connections to PostgreSQL of each process: see [Sizing](operations.md#sizing)',
  });
}

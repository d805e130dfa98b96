import { DATABASE_URL_MESSAGE, isDatabaseUrl } from '@deal-signals/db/database-url';
import { setting, wholeNumber } from '@deal-signals/runtime/settings';
import { z } from 'zod';

/** The settings of the connection to the database. Each app includes them in its own settings. */
export const databaseVariables = {
  DATABASE_URL: setting(
    z.string({ error: DATABASE_URL_MESSAGE }).refine(isDatabaseUrl, DATABASE_URL_MESSAGE),
    {
      about:
        'the address of PostgreSQL; add `pgbouncer=true` behind a [connection pooler](operations.md#connection-poolers)',
      form: '`postgresql://user@host:port/name`',
      isRequired: true,
    },
  ),
  // Read by the PostgreSQL driver, not by our code.
  PGPASSWORD: setting(z.string(), {
    about: 'the password, if `DATABASE_URL` has none; no character needs escaping here',
    form: 'any text',
    isSecret: true,
  }),
};

/** Declares the size of a process's connection pool. */
export function databasePoolSize(bounds: { min: number; max: number }) {
  return wholeNumber({
    ...bounds,
    preset: 10,
    about: 'maximum connections of each process to PostgreSQL: see [Sizing](operations.md#sizing)',
  });
}

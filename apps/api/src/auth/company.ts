import type { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';

export const MAX_INTEGER = 2_147_483_647;

/** The claim that names the workspace of a token. */
export const companyId = z.int().positive().max(MAX_INTEGER);

/** The workspace of a credential. */
export interface Company {
  id: number;
  apiEnabled: boolean;
}

/** Finds the workspace that a verified token names; undefined if there is none. */
export async function findCompany(db: Database, id: number): Promise<Company | undefined> {
  const query = Prisma.sql`SELECT id, api_enabled AS "apiEnabled" FROM companies WHERE id = ${id}`;
  const [company] = await db.query<Company>(query);
  return company;
}

import type { Database } from '@deal-signals/db/database';
import type { Logger } from '@deal-signals/runtime/logger';
import type { Redis } from 'ioredis';
import type { AuthenticatedKey } from './auth/api-key.ts';
import type { AuthenticatedSession } from './auth/session.ts';
import type { Settings } from './config.ts';

/** What the API works with; made by `main.ts`, and by the tests. */
export interface Dependencies {
  db: Database;
  /** Only rate limits live here: losing it loses no data. */
  redis: Redis;
  logger: Logger;
  settings: Settings;
  /** Whether the database's session settings have been found right. */
  isDatabaseChecked: () => boolean;
}

/** What every handler gets of a request, once it has been let in. */
interface Input {
  /** The workspace of the credential: every query is scoped by it, and a request cannot name another. */
  companyId: number;
  params: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
}

/** A request with an API key. */
export interface DataRequest extends Input {
  key: AuthenticatedKey;
}

/** A request of an administrator. */
export interface AdminRequest extends Input {
  session: AuthenticatedSession;
  /** The JSON body; undefined when none was sent. */
  body: unknown;
}

/** Answers a request: what it returns is the body of the response. */
export type DataHandler = (request: DataRequest, dependencies: Dependencies) => Promise<object>;

/** Answers an administrator's request. */
export type AdminHandler = (request: AdminRequest, dependencies: Dependencies) => Promise<object>;

interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, with parameters as `:name`. */
  path: string;
  /** Of a success; 200 unless said otherwise. */
  status?: 200 | 201 | 204;
}

/** A line of the route table: `access` says which credential the route takes. */
export type Route =
  | (Endpoint & { access: 'key'; handler: DataHandler })
  | (Endpoint & { access: 'session'; handler: AdminHandler });

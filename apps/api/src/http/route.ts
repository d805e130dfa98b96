import type { Database } from '@deal-signals/db/database';
import type { Logger } from '@deal-signals/runtime/logger';
import type { Sender } from '@deal-signals/sending/guarded-send';
import type { Redis } from 'ioredis';
import type { z } from 'zod';
import type { AuthenticatedKey } from '../auth/api-key.ts';
import type { AuthenticatedSession } from '../auth/session.ts';
import type { Settings } from '../config.ts';
import type { ErrorCode } from './errors.ts';
import type { Metrics } from '../metrics.ts';
import type { RequestFacts } from './request-log.ts';
import type { Sunset } from './sunset.ts';

/** What the API works with; made by `main.ts`, and by the tests. */
export interface Dependencies {
  db: Database;
  /** Only rate limits live here: losing it loses no data. */
  redis: Redis;
  /** Sends test events. */
  sender: Sender;
  metrics: Metrics;
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
  /** Finds the request in the log. */
  requestId: string;
  /** Adds what the request is about to its line in the log. */
  note: (facts: Pick<RequestFacts, 'deliveryId' | 'endpointId' | 'eventId'>) => void;
  /** The JSON body; undefined when none was sent, or when the operation takes none. */
  body: unknown;
}

/** What is published of an operation, apart from its answer. */
interface Described {
  /** Unique; generated clients name their functions after it. */
  operationId: string;
  tag: Tag;
  summary: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** The JSON body that the operation takes; without it no body is read. */
  body?: z.ZodObject;
  bodyExample?: object;
  /** Set when a request without a body will do. */
  isBodyOptional?: true;
  /** Codes beyond those that follow from the access, the parameters and the body. */
  errors?: readonly ErrorCode[];
}

/**
 * What an endpoint does, and how it is published. The schemas are those that the handler itself reads the request with
 * and whose objects it answers with; `description/` makes the OpenAPI document of them.
 */
interface Operation<Request, Response extends z.ZodType> extends Described {
  /** Of a success; 200 unless said otherwise. */
  status?: 200 | 201;
  response: Response;
  /** A real answer. */
  example: z.output<Response>;
  /** Answers a request: what it returns is the body of the response. */
  handler: (request: Request, dependencies: Dependencies) => Promise<z.output<Response>>;
}

/** The groups that operations are published in. */
export type Tag =
  | 'Status'
  | 'Calls'
  | 'Engagement'
  | 'Decision Rooms'
  | 'Webhook deliveries'
  | 'API keys'
  | 'Webhook endpoints'
  | 'Audit log';

/** What is done for the holder of an API key. */
export type DataOperation<Response extends z.ZodType = z.ZodType<object>> = Operation<DataRequest, Response>;

/** What is done for an administrator. */
export type AdminOperation<Response extends z.ZodType = z.ZodType<object>> = Operation<
  AdminRequest,
  Response
>;

/** What is done for an administrator and leaves nothing to answer with. */
export interface AdminRemoval extends Described {
  status: 204;
  handler: (request: AdminRequest, dependencies: Dependencies) => Promise<void>;
}

/** Holds a data operation to its own response schema: handler and example must fit it. */
export function dataOperation<Response extends z.ZodType<object>>(
  operation: DataOperation<Response>,
): DataOperation<Response> {
  return operation;
}

/** Holds an administrator's operation to its own response schema. */
export function adminOperation<Response extends z.ZodType<object>>(
  operation: AdminOperation<Response>,
): AdminOperation<Response> {
  return operation;
}

interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, with parameters as `:name`. */
  path: string;
  /** Set when the endpoint is going to be switched off. */
  sunset?: Sunset;
}

/** A line of the route table: `access` says which credential the route takes. */
export type Route =
  | (Endpoint & { access: 'key' } & DataOperation)
  | (Endpoint & { access: 'session' } & (AdminOperation | AdminRemoval));

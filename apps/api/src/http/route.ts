import type { Database } from '@deal-signals/db/database';
import type { SchemaWatch } from '@deal-signals/db/migrations/schema-watch';
import type { Replicas } from '@deal-signals/db/replicas';
import type { Requester } from '@deal-signals/outbox/record-audit';
import type { Logger } from '@deal-signals/runtime/logger';
import type { RedisClient } from '@deal-signals/runtime/redis/connect';
import type { Sender } from '@deal-signals/sending/guard/guarded-send';
import type { z } from 'zod';
import type { ZodOpenApiCallbacksObject } from 'zod-openapi';
import type { Scope } from '@deal-signals/serializers/management/scopes';
import type { AuthenticatedKey } from '../auth/api-key.ts';
import type { KeyUsage } from '../auth/key-usage.ts';
import type { AuthenticatedSession } from '../auth/session.ts';
import type { Settings } from '../config.ts';
import type { Metrics } from '../metrics.ts';
import type { ErrorCode } from './errors.ts';
import type { Input, InputSchemas } from './input.ts';
import type { JsonBody } from './responses/json-text.ts';
import type { ManagementLimits } from './limits/management-limit.ts';
import type { RateLimit } from './limits/rate-limit.ts';
import type { RequestSlot } from './limits/request-slot.ts';
import type { RequestFacts } from './request-log.ts';
import type { Sunset } from './sunset.ts';

/** Dependencies of the API; created by `main.ts` and by the tests. */
export interface Dependencies {
  db: Database;
  /** Replicas for the feeds and the metrics; null if there are none. */
  replicas: Replicas | null;
  /** Holds only rate limits, so losing it loses no data. */
  redis: RedisClient;
  /** Sends test events. */
  sender: Sender;
  metrics: Metrics;
  /** Counts the requests of API keys. */
  keyUsage: KeyUsage;
  logger: Logger;
  settings: Settings;
  /** Whether the database's session settings have been verified. */
  isDatabaseChecked: () => boolean;
  /** Reports which migrations the database lacks. */
  schema: SchemaWatch;
  /** Whether the process was told to stop. It then still serves requests, but is not ready. */
  isStopping: () => boolean;
}

/** The rate limits of the API. */
export interface RateLimits {
  perKey: RateLimit;
  management: ManagementLimits;
  /** Separate from management requests, because an open page of the console polls constantly. */
  console: ManagementLimits;
  /** The test events of each workspace. */
  pings: RateLimit;
}

/** Dependencies and limits of a handler. */
export interface Context extends Dependencies {
  rateLimits: RateLimits;
}

/** The caller that reads with an API key, and its slot. Created once the key is known to be valid. */
export interface Reader {
  /** The workspace of the credential. */
  companyId: number;
  key: AuthenticatedKey;
  /** The slot that allows database work. A handler of a read holds it already; others acquire it. */
  slot: RequestSlot;
}

/** The caller of a tool for models: the holder of an API key or of an access token. */
export interface Assistant extends Omit<Reader, 'key'> {
  key: Pick<AuthenticatedKey, 'scopes'>;
  /** Whether it has an access token. Its user can then grant more scopes. */
  hasToken: boolean;
}

/** The caller of a management request: an admin with a session, or an API key. */
export interface Caller extends Omit<Reader, 'key'> {
  /** Null for an admin. */
  key: AuthenticatedKey | null;
  /** Null for an API key. */
  session: AuthenticatedSession | null;
  /** The caller as the audit log records it. */
  requester: Requester;
}

/** The part of an authenticated request that every handler receives. */
export interface WorkspaceRequest {
  /** The workspace of the credential. Every query is scoped to it, and a request cannot name another. */
  companyId: number;
}

/** A request that is authenticated with an API key. */
export interface KeyRequest extends WorkspaceRequest {
  key: AuthenticatedKey;
}

/** A management request of an admin, or of an API key, which can access only the endpoints that it registered itself. */
export interface ManagementRequest extends WorkspaceRequest, Caller {
  /** Adds the objects that the request is about to its log line. */
  addLogFields: (facts: Pick<RequestFacts, 'deliveryId' | 'endpointId' | 'eventId'>) => void;
}

/** A request that is authenticated with an admin session. */
export interface AdminRequest extends ManagementRequest {
  session: AuthenticatedSession;
}

/** The published description of an operation, apart from its response. */
interface Described {
  /** Unique; generated clients name their functions after it. */
  operationId: string;
  tag: Tag;
  summary: string;
  description?: string;
  bodyExample?: object;
  /** The requests that the API sends as a consequence. */
  callbacks?: ZodOpenApiCallbacksObject;
  /** Error codes in addition to those that follow from the access, the parameters and the body. */
  errors?: readonly ErrorCode[];
}

/** An endpoint and its published description, from which `openapi/` generates the OpenAPI document. */
export interface Operation<
  Request,
  Response extends z.ZodType = z.ZodType<object>,
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
>
  extends Described, InputSchemas<Params, Query, Body> {
  /** The status of a successful response; 200 by default. */
  status?: 200 | 201;
  response: Response;
  /** A real response. */
  example: z.output<Response>;
  /** Set if callers can also get the result as newline-delimited JSON. Only served to sessions. */
  lines?: Lines<Request, Query>;
  /** Handles a request and returns the body of the response. */
  handler(
    request: Request & Input<Params, Query, Body>,
    context: Context,
  ): Promise<z.output<Response> | JsonBody<z.output<Response>>>;
}

/** The groups in which operations are published. */
export type Tag =
  | 'Status'
  | 'Calls'
  | 'Engagement'
  | 'Decision Rooms'
  | 'Erasures'
  | 'Webhook deliveries'
  | 'API keys'
  | 'Webhook endpoints'
  | 'Alert channels'
  | 'Audit log'
  | 'Console';

/** An operation that reads the data of a workspace with any credential: an API key, or a session in the console. */
export type DataOperation<Response extends z.ZodType = z.ZodType<object>> = Operation<
  WorkspaceRequest,
  Response
>;

/** The result of an operation as newline-delimited JSON, for callers whose `Accept` header prefers that. */
interface Lines<Request, Query extends z.ZodObject> {
  description: string;
  example: string;
  /** Returns the lines in portions that end with a line break. */
  handler(
    request: Request & { query: z.output<Query> },
    dependencies: Dependencies,
  ): AsyncGenerator<string, void>;
}

/** An operation whose response has no body. */
export interface Removal<Request extends ManagementRequest, Params extends z.ZodObject = z.ZodObject>
  extends Described, InputSchemas<Params> {
  status: 204;
  handler(request: Request & Input<Params>, context: Context): Promise<void>;
}

/**
 * Returns a function that lets the compiler check that the handler and the example of an operation match its schemas. A route
 * table holds operations with different schemas, so the type of the result has none but that of the response.
 */
function operationFor<Request>() {
  return <
    Response extends z.ZodType<object>,
    Params extends z.ZodObject = z.ZodObject,
    Query extends z.ZodObject = z.ZodObject,
    Body extends z.ZodObject = z.ZodObject,
  >(
    operation: Operation<Request, Response, Params, Query, Body>,
  ) => operation as Operation<Request, Response>;
}

/** Defines an operation that reads the data of a workspace with any credential. */
export const dataOperation = operationFor<WorkspaceRequest>();

/** Defines an operation for holders of an API key. */
export const keyOperation = operationFor<KeyRequest>();

/** Defines an operation for admins. */
export const adminOperation = operationFor<AdminRequest>();

/** Defines an operation for admins and, with the scope `webhooks`, for holders of an API key. */
export const managementOperation = operationFor<ManagementRequest>();

interface RouteBase {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to where the table is served, with parameters written as `:name`. */
  path: string;
  /** Set if the endpoint is scheduled to be switched off. */
  sunset?: Sunset;
}

/**
 * An entry of the route table. `access` is the kind of credential that the route requires, and `scope` the scope that a key
 * needs; null if every key may use the route.
 */
export type Route =
  | (RouteBase & { access: 'key'; scope: Scope | null } & Operation<KeyRequest>)
  | (RouteBase & {
      access: 'session';
      /** Set if sessions may use the route without the permission, and while the API is switched off for the workspace. */
      isForAnySession?: true;
    } & (Operation<AdminRequest> | Removal<AdminRequest>))
  | (RouteBase & {
      access: 'session or key';
      /** The scope that a key needs. It is then served like a session. */
      scope: 'webhooks';
    } & (Operation<ManagementRequest> | Removal<ManagementRequest>));

/** Defines a route that reads with an API key. */
export function read(path: string, scope: Scope | null, operation: Operation<KeyRequest>): Route {
  return { method: 'GET', path, access: 'key', scope, ...operation };
}

/** Defines a route for admins. */
export function admin(
  method: RouteBase['method'],
  path: string,
  operation: Operation<AdminRequest> | Removal<AdminRequest>,
): Route {
  return { method, path, access: 'session', ...operation };
}

/** Defines a route for admins and, with the scope `webhooks`, for holders of an API key. */
export function manage(
  method: RouteBase['method'],
  path: string,
  operation: Operation<ManagementRequest> | Removal<ManagementRequest>,
): Route {
  return { method, path, access: 'session or key', scope: 'webhooks', ...operation };
}

export type KeyRoute = Extract<Route, { access: 'key' }>;
export type ManagementRoute = Exclude<Route, KeyRoute>;

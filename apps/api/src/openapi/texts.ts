import type { Tag } from '../http/route.ts';

/** The introduction: what applies to all operations. */
export const INTRODUCTION = `Read access to the deal signals of one workspace: calls with their AI summaries, what prospects did, Decision Rooms and their metrics, and the log of webhook deliveries. The API changes no business data. Administrators manage API keys and webhook endpoints, and automations can register endpoints of their own.

Lists are feeds, ordered from oldest to newest. Start without a cursor, pass \`nextCursor\` as \`cursor\` while \`hasMore\` is true, and store the last \`nextCursor\`. A later request with it returns what was added or changed since. Cursors never expire. A record that changes, such as a call or a room, is returned again at a later position, so store records by \`id\`.

By default, a key may make 300 requests per minute. Every response states the limit that applies in \`X-RateLimit-Limit\` and \`X-RateLimit-Window\`. Responses to requests with a valid key also state what is left, in \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`. The headers \`RateLimit-Policy\` and \`RateLimit\` of the IETF's draft say the same. Management requests are not counted against a key: by default, a user may make 300 per minute, and all users of a workspace 600. Keys with the scope \`webhooks\` have the same limits, counted apart. For these requests, \`RateLimit-Policy\` and \`RateLimit\` list both limits. Only a few requests of a key, and of a workspace, are handled at the same time. Further ones wait, and get 429 \`RATE_LIMITED\` with \`Retry-After\` if that takes too long.

An error has a stable \`code\` and an \`error\` message that may change; \`field\` names the input if it is about a single one. In addition to the responses of each operation, an unknown path returns 404 \`NOT_FOUND\`, a method that a path does not allow returns 405 \`METHOD_NOT_ALLOWED\` with an \`Allow\` header, and a request that is not valid HTTP returns 400 \`INVALID_REQUEST\`.

Date-times in responses are ISO 8601 in UTC with milliseconds. Requests may use an offset, or a bare date for midnight UTC. Unknown body fields and query parameters are ignored; \`X-Ignored-Parameters\` names the latter. HEAD is supported wherever GET is. Large responses are compressed if \`Accept-Encoding\` allows it.

New fields, parameters, operations and event types may be added at any time: ignore what you do not know. A change that would break clients is released as \`/api/v2\`. The previous version then continues to work for at least six months, and \`Deprecation\` and \`Sunset\` headers announce when it ends.`;

/** The introduction to the operations of the console. */
export const CONSOLE_INTRODUCTION = `What the console reads, for administrators of a workspace. The operations of the API for consumers are offered here to session tokens: they take the same parameters and return the same objects. Keys and endpoints are managed with the operations of the API itself.

These operations serve the console and change together with it. Programs should use the API with a key.

By default, a user may make 600 requests per minute, and all users of a workspace 3,000. \`RateLimit-Policy\` and \`RateLimit\` list both limits.`;

/** The credential of data operations. */
export const KEY_SCHEME =
  'An API key, created by an administrator. It starts with `dsk_live_` and gives access to one workspace: read-only, unless it has the scope `webhooks`.';

/** The credential of management operations. */
export const SESSION_SCHEME =
  "An administrator's session token, a JWT with the permission `integrations.crm`.";

/** The descriptions of the groups of operations. */
export const TAG_TEXTS: Record<Tag | 'Webhooks', string> = {
  Status: 'Whether a key works, and which workspace it belongs to.',
  Calls: 'Calls and their AI summaries.',
  Engagement: 'Share links, and what prospects did, watched and read through them.',
  'Decision Rooms':
    'The rooms that sellers share with buyers, one per opportunity, with their people, documents and contracts.',
  Erasures: 'What was erased of people and rooms.',
  'Webhook deliveries': 'The log of what was sent to the webhook endpoints of the workspace.',
  'API keys': 'Management of the API keys of the workspace, for administrators.',
  'Webhook endpoints':
    'Management of the URLs that receive webhooks, for administrators. An API key with the scope `webhooks` can register endpoints, and list, test and remove those that it registered, and have what they missed sent.',
  'Alert channels':
    'URLs that get a message when an endpoint fails, was disabled or has recovered, and when deliveries are dead, for administrators.',
  'Audit log': 'Who changed API keys and webhook endpoints or erased people, or tried to, and when.',
  Console: 'Data of the console that no other operation returns.',
  Webhooks:
    'The requests that webhook endpoints receive. The lists are the source of truth; webhooks only reduce latency.',
};

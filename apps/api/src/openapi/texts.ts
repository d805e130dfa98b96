import type { Tag } from '../http/route.ts';

/** What has to be known before any operation. */
export const INTRODUCTION = `Deal signals of one workspace, to read: calls with their AI summaries, what prospects did, Decision Rooms and their metrics, and the log of webhook deliveries. Nothing here changes business data; administrators manage API keys and webhook endpoints.

Lists are feeds. Start without a cursor, pass \`nextCursor\` on as \`cursor\` while \`hasMore\` is true, and keep the last \`nextCursor\`: asked again later it gives what was added or changed since. Cursors do not expire. A changed call or room comes again at a later place, so keep records by \`id\`.

A key may make 300 requests a minute. Every answer says so in \`X-RateLimit-Limit\` and \`X-RateLimit-Window\`, answers to a key also what is left of it. Management operations are not counted.

An error has a stable \`code\` and an \`error\` text that may change. Besides the answers of each operation, an unknown path gives 404 \`NOT_FOUND\`, a known path with another method 405 \`METHOD_NOT_ALLOWED\` with an \`Allow\` header, and what is no readable HTTP request 400 \`INVALID_REQUEST\`.

Date-times are ISO 8601 in UTC with milliseconds; where one is sent, an offset or a bare date (midnight UTC) will do as well. Unknown query parameters and body fields are ignored. HEAD is answered wherever GET is. Large answers are compressed when \`Accept-Encoding\` asks for it.

New fields, parameters, operations and event types may be added at any time: ignore what you do not know. Whatever would break a client becomes \`/api/v2\`, and the older version goes on for at least six months with a published end, announced by \`Deprecation\` and \`Sunset\` headers.`;

/** How a data operation is called. */
export const KEY_SCHEME =
  'An API key, minted by an administrator: it begins with `dsk_live_`, reads one workspace and changes nothing.';

/** How a management operation is called. */
export const SESSION_SCHEME =
  "An administrator's session token, a JWT with the permission `integrations.crm`.";

/** What the groups of operations are about. */
export const TAG_TEXTS: Record<Tag | 'Webhooks', string> = {
  Status: 'Whether a key works, and for whom.',
  Calls: 'Recordings with their summaries.',
  Engagement: 'What prospects did, and what they watched and read.',
  'Decision Rooms': 'The rooms in which sellers and buyers meet, one for each opportunity.',
  'Webhook deliveries': 'What was sent to the webhook endpoints of the workspace.',
  'API keys': 'Management of keys, by administrators.',
  'Webhook endpoints': 'Management of the URLs that get webhooks, by administrators.',
  'Audit log': 'Who managed what, and when.',
  Webhooks: 'What is sent to webhook endpoints. The lists are the source of truth; webhooks make it quick.',
};

import { API_VERSION } from '@deal-signals/outbox/event-types';

// The statements of the floor, one per response, in which PostgreSQL builds the JSON text. They return the objects that
// packages/serializers describes. The bench compares the two before it measures.

const dateTime = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const OF_ROOM = `
  'buyerSpaceId', e.buyer_space_id, 'buyerSpaceName', e.buyer_space_name,
  'owner', CASE WHEN e.owner_id IS NOT NULL THEN
    json_build_object('id', e.owner_id, 'name', e.owner_name, 'email', e.owner_email) END`;

const EVENT_FIELDS = `
  'id', e.id::text, 'type', e.type, 'occurredAt', ${dateTime('e.occurred_at')},
  'actor', json_build_object('name', e.actor_name, 'email', e.actor_email), 'personId', e.person_id,
  'metadata', e.metadata, 'demoId', e.demo_id, 'demoTitle', e.demo_title, 'distributionId', e.distribution_id,
  ${OF_ROOM}, 'docId', e.doc_id`;

const EVENT = `
  CASE WHEN e.forwarded_from_distribution_id IS NULL THEN json_build_object(${EVENT_FIELDS})
       ELSE json_build_object(${EVENT_FIELDS}, 'forwardedFromDistributionId', e.forwarded_from_distribution_id) END`;

const VIEW = `
  json_build_object(
    'id', e.id::text, 'kind', e.kind, 'startedAt', ${dateTime('e.started_at')}, 'endedAt', ${dateTime('e.ended_at')},
    'actor', json_build_object('name', e.actor_name, 'email', e.actor_email), 'personId', e.person_id,
    'distributionId', e.distribution_id, 'forwardedFromDistributionId', e.forwarded_from_distribution_id, 'demoId', e.demo_id, 'demoTitle', e.demo_title,
    'docId', e.doc_id, ${OF_ROOM}, 'watchSeconds', e.watch_seconds,
    'uniqueSeconds', e.unique_seconds, 'durationSeconds', e.duration_seconds,
    'completionPercent', e.completion_percent,
    'segments', (SELECT coalesce(json_agg(json_build_object('startSeconds', s -> 0, 'endSeconds', s -> 1)), '[]')
                 FROM jsonb_array_elements(e.segments) AS s))`;

const ROOM = `
  json_build_object(
    'id', e.id, 'name', e.name, 'slug', e.slug, 'status', e.status,
    'owner', CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name, 'email', u.email) END,
    'primaryContactEmail', e.primary_contact_email, 'expectedCloseDate', e.expected_close_date,
    'dealValueCents', e.deal_value_cents, 'sourceCallId', e.source_call_id, 'createdAt', ${dateTime('e.created_at')},
    'lastActivityAt', ${dateTime('e.last_activity_at')}, 'lastEngagementAt', ${dateTime('t.last_activity_at')},
    'closedAt', ${dateTime('e.closed_at')})`;

const CALL = `
  json_build_object(
    'id', e.id, 'kind', e.kind, 'status', e.status, 'occurredAt', ${dateTime('e.occurred_at')},
    'updatedAt', ${dateTime('e.updated_at')}, 'completedAt', ${dateTime('e.completed_at')},
    'owner', json_build_object('id', u.id, 'name', u.name, 'email', u.email), 'participants', e.participants,
    'hasSummary', e.status = 'completed' AND e.summary IS NOT NULL, 'title', e.title, 'prospectName', e.prospect_name,
    'durationSeconds', e.duration_seconds, 'buyerSpaceId', e.room_id, 'talkTime', e.talk_time,
    'summary', CASE WHEN e.status = 'completed' THEN e.summary END,
    'deal', CASE WHEN r.id IS NOT NULL
                 THEN json_build_object('status', r.status, 'valueCents', r.deal_value_cents) END,
    'disqualifiedAt', ${dateTime('e.disqualified_at')}, 'disqualifiedReason', e.disqualified_reason)`;

const OWNER = 'LEFT JOIN users u ON u.company_id = e.company_id AND u.id = e.owner_id';
const TOTALS = 'LEFT JOIN room_totals t ON t.company_id = e.company_id AND t.room_id = e.id';
const DEAL = 'LEFT JOIN rooms r ON r.company_id = e.company_id AND r.id = e.room_id';

/**
 * Rows of a page. The limit is part of the statement's text, so that PostgreSQL plans for it. The pages of the bench are
 * always full.
 */
export const PAGE_ROWS = 100;

/**
 * Returns the statement for the objects of a page. Its parameters are the workspace and the values of the sort key before
 * the page.
 */
function page(table: string, sortKey: string, item: string, joins = ''): string {
  const columns = sortKey.split(', ');
  const after = columns.map((_, n) => `$${n + 2}`).join(', ');
  const order = columns.map((column) => `e.${column}`).join(', ');
  return `
    SELECT json_agg(${item} ORDER BY ${order})::text
    FROM (SELECT * FROM ${table} WHERE company_id = $1 AND (${sortKey}) > (${after})
          ORDER BY ${sortKey} LIMIT ${PAGE_ROWS}) AS e
    ${joins}`;
}

/** Returns the statement for one object. Its parameters are the workspace and the id. */
const one = (table: string, item: string, joins: string): string =>
  `SELECT (${item})::text FROM ${table} e ${joins} WHERE e.company_id = $1 AND e.id = $2::uuid`;

export const PAGES = {
  events: page('engagement_events', 'id', EVENT),
  views: page('engagement_views', 'id', VIEW),
  rooms: page('rooms', 'last_activity_at, id', ROOM, `${OWNER} ${TOTALS}`),
  calls: page('calls', 'updated_at, id', CALL, `${OWNER} ${DEAL}`),
};

export const OBJECTS = {
  room: one('rooms', ROOM, `${OWNER} ${TOTALS}`),
  call: one('calls', CALL, `${OWNER} ${DEAL}`),
};

/** The maximum to which `/status` counts deliveries. */
const MAX_COUNTED = 5_000;

/** The statement for `/status`. Its parameters are the workspace, the API key and the rate limit per minute. */
export const STATUS = `
  SELECT json_build_object(
    'ok', true, 'apiVersion', '${API_VERSION}', 'company', json_build_object('id', c.id, 'name', c.name),
    'key', json_build_object('prefix', k.prefix, 'name', k.name, 'scopes', k.scopes,
                             'createdAt', ${dateTime('k.created_at')}, 'lastUsedAt', ${dateTime('k.last_used_at')}),
    'webhooks', json_build_object(
      'endpoints', p.total, 'enabledEndpoints', p.enabled,
      'pendingDeliveries', least(q.pending, ${MAX_COUNTED}), 'pendingDeliveriesExact', q.pending <= ${MAX_COUNTED},
      'deadDeliveries', least(d.dead, ${MAX_COUNTED}), 'deadDeliveriesExact', d.dead <= ${MAX_COUNTED},
      'lastDeliveredAt', (SELECT ${dateTime('max(last_success_at)')} FROM webhook_endpoints WHERE company_id = $1)),
    'rateLimit', json_build_object('perMinute', $3::int))::text
  FROM companies c
  JOIN api_keys k ON k.company_id = c.id AND k.id = $2
  CROSS JOIN LATERAL (SELECT count(*) AS total, count(*) FILTER (WHERE enabled) AS enabled
                      FROM webhook_endpoints WHERE company_id = $1 AND removed_at IS NULL) AS p
  CROSS JOIN LATERAL (SELECT count(*) AS pending
                      FROM (SELECT FROM pending_deliveries WHERE company_id = $1
                            ORDER BY company_id, id LIMIT ${MAX_COUNTED + 1}) AS counted) AS q
  CROSS JOIN LATERAL (
    SELECT count(*) AS dead
    FROM (SELECT FROM webhook_endpoints AS present
          CROSS JOIN LATERAL (
            SELECT FROM webhook_deliveries
            WHERE company_id = present.company_id AND endpoint_id = present.id AND status = 'dead'
              AND dismissed_at IS NULL AND event_type <> 'integration.ping'
            ORDER BY created_at, id LIMIT ${MAX_COUNTED + 1}) AS dead
          WHERE present.company_id = $1 AND present.removed_at IS NULL LIMIT ${MAX_COUNTED + 1}) AS counted) AS d
  WHERE c.id = $1`;

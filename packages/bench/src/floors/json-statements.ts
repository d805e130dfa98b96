// The statements of the floor: one for each response, in which PostgreSQL builds the JSON text. They return the objects
// that packages/serializers describes; the bench compares the two before it measures.

const dateTime = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const EVENT_FIELDS = `
  'id', e.id::text, 'type', e.type, 'occurredAt', ${dateTime('e.occurred_at')},
  'actor', json_build_object('name', e.actor_name, 'email', e.actor_email), 'metadata', e.metadata,
  'demoId', e.demo_id, 'demoTitle', e.demo_title, 'distributionId', e.distribution_id,
  'buyerSpaceId', e.buyer_space_id, 'docId', e.doc_id`;

const EVENT = `
  CASE WHEN e.forwarded_from_distribution_id IS NULL THEN json_build_object(${EVENT_FIELDS})
       ELSE json_build_object(${EVENT_FIELDS}, 'forwardedFromDistributionId', e.forwarded_from_distribution_id) END`;

const VIEW = `
  json_build_object(
    'id', e.id::text, 'kind', e.kind, 'startedAt', ${dateTime('e.started_at')}, 'endedAt', ${dateTime('e.ended_at')},
    'actor', json_build_object('name', e.actor_name, 'email', e.actor_email), 'distributionId', e.distribution_id,
    'forwardedFromDistributionId', e.forwarded_from_distribution_id, 'demoId', e.demo_id, 'demoTitle', e.demo_title,
    'docId', e.doc_id, 'buyerSpaceId', e.buyer_space_id, 'watchSeconds', e.watch_seconds,
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
    'lastActivityAt', ${dateTime('e.last_activity_at')}, 'closedAt', ${dateTime('e.closed_at')})`;

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
const DEAL = 'LEFT JOIN rooms r ON r.company_id = e.company_id AND r.id = e.room_id';

/** Rows of a page. The limit is part of the text, so that PostgreSQL plans for it. The pages of the bench are always full. */
export const PAGE_ROWS = 100;

/** A page of a feed in id order. Parameters: workspace, the id before the page. */
function idPage(table: string, item: string): string {
  return `
    SELECT (json_agg(${item}) FILTER (WHERE e.n <= ${PAGE_ROWS}))::text AS data,
           max(e.id) FILTER (WHERE e.n <= ${PAGE_ROWS}) AS last, count(*) > ${PAGE_ROWS} AS more
    FROM (SELECT f.*, row_number() OVER (ORDER BY f.id) AS n FROM ${table} f
          WHERE f.company_id = $1 AND f.id > $2 ORDER BY f.id LIMIT ${PAGE_ROWS + 1}) AS e`;
}

/** A page of a feed in time order. Parameters: workspace, time and id before the page. */
function timePage(table: string, sortKey: string, item: string, joins: string): string {
  const lastOf = (column: string): string => `(array_agg(e.${column}) FILTER (WHERE e.n = ${PAGE_ROWS}))[1]`;
  return `
    SELECT (json_agg(${item} ORDER BY e.n) FILTER (WHERE e.n <= ${PAGE_ROWS}))::text AS data,
           ${lastOf('id')} AS last, round(date_part('epoch', ${lastOf(sortKey)}) * 1000) AS "lastAt",
           count(*) > ${PAGE_ROWS} AS more
    FROM (SELECT f.*, row_number() OVER (ORDER BY f.${sortKey}, f.id) AS n FROM ${table} f
          WHERE f.company_id = $1 AND (f.${sortKey}, f.id) > ($2, $3::uuid)
          ORDER BY f.${sortKey}, f.id LIMIT ${PAGE_ROWS + 1}) AS e
    ${joins}`;
}

const one = (table: string, item: string, joins: string): string => `
  SELECT json_build_object('data', ${item})::text AS body FROM ${table} e ${joins}
  WHERE e.company_id = $1 AND e.id = $2::uuid`;

/** The statement of each response, by name. */
export const JSON_STATEMENTS = {
  events: idPage('engagement_events', EVENT),
  views: idPage('engagement_views', VIEW),
  rooms: timePage('rooms', 'last_activity_at', ROOM, OWNER),
  calls: timePage('calls', 'updated_at', CALL, `${OWNER} ${DEAL}`),
  room: one('rooms', ROOM, OWNER),
  call: one('calls', CALL, `${OWNER} ${DEAL}`),
  /** Parameters: workspace, API key, version of the contract, limit a minute, how far deliveries are counted and one. */
  status: `
    SELECT json_build_object(
      'ok', true, 'apiVersion', $3::text, 'company', json_build_object('id', c.id, 'name', c.name),
      'key', json_build_object('prefix', k.prefix, 'name', k.name, 'scopes', k.scopes,
                               'createdAt', ${dateTime('k.created_at')}, 'lastUsedAt', ${dateTime('k.last_used_at')}),
      'webhooks', json_build_object(
        'endpoints', p.total, 'enabledEndpoints', p.enabled,
        'pendingDeliveries', least(q.pending, $5::int - 1), 'pendingDeliveriesExact', q.pending < $5::int,
        'deadDeliveries', least(d.dead, $5::int - 1), 'deadDeliveriesExact', d.dead < $5::int,
        'lastDeliveredAt', (SELECT ${dateTime('max(delivered_at)')} FROM webhook_deliveries
                            WHERE company_id = $1 AND status = 'delivered')),
      'rateLimit', json_build_object('perMinute', $4::int))::text AS body
    FROM companies c
    JOIN api_keys k ON k.company_id = c.id AND k.id = $2
    CROSS JOIN LATERAL (SELECT count(*) AS total, count(*) FILTER (WHERE enabled) AS enabled
                        FROM webhook_endpoints WHERE company_id = $1 AND removed_at IS NULL) AS p
    CROSS JOIN LATERAL (SELECT count(*) AS pending
                        FROM (SELECT FROM webhook_deliveries WHERE company_id = $1 AND status = 'pending'
                              ORDER BY company_id, status, id LIMIT $5::int) AS counted) AS q
    CROSS JOIN LATERAL (
      SELECT count(*) AS dead
      FROM (SELECT FROM webhook_endpoints AS present
            CROSS JOIN LATERAL (
              SELECT FROM webhook_deliveries
              WHERE company_id = present.company_id AND endpoint_id = present.id AND status = 'dead'
                AND dismissed_at IS NULL AND event_type <> 'integration.ping'
              ORDER BY created_at, id LIMIT $5::int) AS dead
            WHERE present.company_id = $1 AND present.removed_at IS NULL LIMIT $5::int) AS counted) AS d
    WHERE c.id = $1`,
};

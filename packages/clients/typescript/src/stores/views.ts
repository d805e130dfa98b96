import { type Feed, tableOf } from '../feeds/feeds.ts';
import { quoted } from './columns.ts';

/** The feeds whose tables the views read. */
export const VIEWED_FEEDS: readonly Feed[] = [
  'decision-rooms',
  'room-scores',
  'people',
  'documents',
  'engagement/events',
  'engagement/views',
];

/** A view for analysts, over the tables of a store. */
export interface View {
  name: string;
  /** The query that defines it. */
  query: string;
  /** Statements that create what the query reads besides the tables. They can be repeated. */
  setup?: readonly string[];
}

/** The parts of the SQL that differ between the databases. */
export interface Dialect {
  /** Returns the name of a table in SQL. */
  table: (name: string) => string;
  /** Returns the items of a JSON list, as the table `item` with the column `value`. */
  items: (list: string) => string;
  /** Creates a trigger that runs a statement after a row of a table is written, if a condition is true. `NEW` is the row. */
  afterWrite: (trigger: string, table: string, condition: string, statement: string) => readonly string[];
}

/** The names of the views. */
export const VIEW_NAMES = [
  'deals',
  'watched_recordings',
  'activity',
  'person_engagement',
  'room_statuses',
] as const;

/** The table of the statuses that rooms have had. */
const STATUSES_TABLE = 'deal_signals_statuses';

/** The start time of the first known status of a room `r`. Rooms begin open; the feed does not show when one became dormant. */
const SINCE_FIRST =
  "CASE r.status WHEN 'open' THEN r.created_at WHEN 'dormant' THEN NULL ELSE r.closed_at END";

/** How often a person did something, by event type. */
const EVENT_COUNTS = [
  ['room_visits', 'room_visit'],
  ['trailer_views', 'trailer_view'],
  ['trailer_completes', 'trailer_complete'],
  ['doc_opens', 'doc_open'],
  ['doc_downloads', 'doc_download'],
  ['map_checkoffs', 'map_checkoff'],
  ['comments', 'comment'],
  ['messages', 'message'],
  ['forwards', 'forward'],
] as const;

const countOf = (type: string): string => `count(*) FILTER (WHERE d.type = '${type}')`;
const secondsOf = (type: string): string =>
  `CAST(coalesce(sum(d.seconds) FILTER (WHERE d.type = '${type}'), 0) AS bigint)`;

const OWNER = ['id', 'name', 'email'] as const;

/** Returns columns for the JSON of an owner or an actor. The id is a number. */
function flattened(json: string, as: string, fields: readonly (typeof OWNER)[number][] = OWNER): string {
  return fields
    .map((field) => {
      const text = `${json} ->> '${field}'`;
      return `${field === 'id' ? `CAST(${text} AS bigint)` : text} AS ${as}_${field}`;
    })
    .join(', ');
}

/** The comment that marks a view as created by a store. */
export function viewDefinition({ query, setup = [] }: View): string {
  return [...setup, query].join(';\n');
}

/**
 * Returns the views over the tables of a store. Their SQL is the same for SQLite and PostgreSQL, except for the parts of the
 * dialect.
 *
 * - `deals`: a room with its amount, its owner, its score and the time of its latest activity.
 * - `watched_recordings`: the parts of a recording that a person has watched, as the union of all their sessions. Two sessions of
 *   60 % can cover anything from 60 to 100 % of it, so the sum or the maximum of the sessions is wrong.
 * - `activity`: events and sessions in one list, with names. A session of a recording or document is listed twice: as
 *   `trailer_view` or `doc_open` when it began, and as a whole when it ended. The feeds do not show which of them belong together.
 * - `person_engagement`: what a person did in a room, counted once: events by type, and sessions separately.
 * - `room_statuses`: the statuses of a room with their start times. The feed only has the current status, so a trigger records each
 *   one that arrives.
 */
export function createViews(prefix: string, { table, items, afterWrite }: Dialect): View[] {
  const of = (feed: Feed): string => table(prefix + tableOf(feed));
  const rooms = of('decision-rooms');
  const noted = table(prefix + STATUSES_TABLE);
  const lastNoted = `(SELECT s.status FROM ${noted} s WHERE s.room_id = NEW.id ORDER BY s.recorded_at DESC LIMIT 1)`;
  const [deals, watched, activity, engagement, statuses] = VIEW_NAMES.map((name) => prefix + name) as [
    string,
    string,
    string,
    string,
    string,
  ];
  return [
    {
      name: deals,
      query: `
SELECT r.id, r.name, r.status, CAST(r.deal_value_cents / 100.0 AS numeric(20, 2)) AS amount,
  ${flattened('r.owner', 'owner')}, r.primary_contact_email, r.expected_close_date, r.created_at, r.closed_at,
  r.last_engagement_at, s.engagement_score, s.recency_points, s.breadth_points, s.depth_points
FROM ${of('decision-rooms')} r
LEFT JOIN ${of('room-scores')} s ON s.id = r.id`,
    },
    {
      name: watched,
      // A range counts from the end of the ranges before it.
      query: `
WITH ranges AS (
  SELECT v.person_id, v.demo_id, CAST(item.value ->> 'startSeconds' AS bigint) AS from_second,
    CASE WHEN v.duration_seconds < CAST(item.value ->> 'endSeconds' AS bigint) THEN v.duration_seconds
      ELSE CAST(item.value ->> 'endSeconds' AS bigint) END AS to_second
  FROM ${of('engagement/views')} v CROSS JOIN ${items('v.segments')}
  WHERE v.person_id IS NOT NULL AND v.demo_id IS NOT NULL
), reached AS (
  SELECT ranges.*, max(to_second) OVER (PARTITION BY person_id, demo_id ORDER BY from_second, to_second
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached_second
  FROM ranges WHERE from_second < to_second
), watched AS (
  SELECT person_id, demo_id, CAST(sum(CASE
      WHEN reached_second IS NULL OR reached_second <= from_second THEN to_second - from_second
      WHEN reached_second < to_second THEN to_second - reached_second
      ELSE 0 END) AS bigint) AS unique_seconds
  FROM reached GROUP BY person_id, demo_id
), sessions AS (
  SELECT person_id, demo_id, max(demo_title) AS demo_title, max(duration_seconds) AS duration_seconds,
    count(*) AS sessions, CAST(sum(watch_seconds) AS bigint) AS watch_seconds, max(ended_at) AS last_watched_at
  FROM ${of('engagement/views')}
  WHERE person_id IS NOT NULL AND demo_id IS NOT NULL
  GROUP BY person_id, demo_id
)
SELECT p.id AS person_id, p.name AS person_name, p.email AS person_email, p.buyer_space_id, r.name AS buyer_space_name,
  s.demo_id, s.demo_title, s.duration_seconds, s.sessions, s.watch_seconds, coalesce(w.unique_seconds, 0) AS unique_seconds,
  CASE WHEN w.unique_seconds >= s.duration_seconds THEN 100
    WHEN s.duration_seconds > 0 THEN 100 * coalesce(w.unique_seconds, 0) / s.duration_seconds END AS completion_percent,
  s.last_watched_at
FROM sessions s
JOIN ${of('people')} p ON p.id = s.person_id
LEFT JOIN ${of('decision-rooms')} r ON r.id = p.buyer_space_id
LEFT JOIN watched w ON w.person_id = s.person_id AND w.demo_id = s.demo_id`,
    },
    {
      name: activity,
      query: `
SELECT 'event' AS source, e.id, e.type, e.occurred_at, e.buyer_space_id, e.buyer_space_name, ${flattened('e.owner', 'owner')},
  e.person_id, ${flattened('e.actor', 'actor', ['name', 'email'])}, e.demo_id, e.demo_title, e.doc_id, d.title AS doc_title,
  NULL AS watch_seconds, NULL AS completion_percent, e.metadata
FROM ${of('engagement/events')} e
LEFT JOIN ${of('documents')} d ON d.id = e.doc_id
UNION ALL
SELECT 'view', v.id, CASE v.kind WHEN 'document' THEN 'read' ELSE 'watched' END, v.started_at, v.buyer_space_id,
  v.buyer_space_name, ${flattened('v.owner', 'owner')}, v.person_id, ${flattened('v.actor', 'actor', ['name', 'email'])},
  v.demo_id, v.demo_title, v.doc_id, d.title, v.watch_seconds, v.completion_percent, NULL
FROM ${of('engagement/views')} v
LEFT JOIN ${of('documents')} d ON d.id = v.doc_id`,
    },
    {
      name: engagement,
      // The join also compares the room, so that a condition on the room can use an index of the events and sessions.
      query: `
WITH done AS (
  SELECT person_id, buyer_space_id, type, doc_id, demo_id, NULL AS seconds, occurred_at AS at
  FROM ${of('engagement/events')}
  UNION ALL
  SELECT person_id, buyer_space_id, CASE kind WHEN 'document' THEN 'read' ELSE 'watched' END, doc_id, demo_id, watch_seconds,
    ended_at
  FROM ${of('engagement/views')}
)
SELECT p.id AS person_id, p.name AS person_name, p.email AS person_email, p.role AS person_role, p.buyer_space_id,
  r.name AS buyer_space_name, ${EVENT_COUNTS.map(([column, type]) => `${countOf(type)} AS ${column}`).join(', ')},
  count(DISTINCT d.doc_id) FILTER (WHERE d.type = 'doc_open') AS docs_opened,
  ${countOf('watched')} AS watch_sessions, count(DISTINCT d.demo_id) FILTER (WHERE d.type = 'watched') AS recordings_watched,
  ${secondsOf('watched')} AS watch_seconds, ${countOf('read')} AS read_sessions, ${secondsOf('read')} AS read_seconds,
  min(d.at) AS first_activity_at, max(d.at) AS last_activity_at
FROM ${of('people')} p
LEFT JOIN ${of('decision-rooms')} r ON r.id = p.buyer_space_id
LEFT JOIN done d ON d.person_id = p.id AND d.buyer_space_id = p.buyer_space_id
WHERE p.removed_at IS NULL
GROUP BY p.id, p.name, p.email, p.role, p.buyer_space_id, r.name`,
    },
    {
      name: statuses,
      query: `
SELECT s.room_id AS buyer_space_id, r.name AS buyer_space_name, s.status, s.since, s.recorded_at,
  lead(s.since) OVER (PARTITION BY s.room_id ORDER BY s.recorded_at) AS until
FROM ${noted} s
LEFT JOIN ${rooms} r ON r.id = s.room_id`,
      setup: [
        `CREATE TABLE IF NOT EXISTS ${noted} AS
SELECT id AS room_id, status, created_at AS since, last_activity_at AS recorded_at FROM ${rooms} WHERE 1 = 0`,
        `CREATE UNIQUE INDEX IF NOT EXISTS ${quoted(`${prefix}${STATUSES_TABLE}_key`)} ON ${noted} (room_id, recorded_at)`,
        `INSERT INTO ${noted} (room_id, status, since, recorded_at)
SELECT r.id, r.status, ${SINCE_FIRST}, r.last_activity_at FROM ${rooms} r
WHERE NOT EXISTS (SELECT 1 FROM ${noted} s WHERE s.room_id = r.id)`,
        ...afterWrite(
          `${prefix}${STATUSES_TABLE}_note`,
          rooms,
          `NEW.status <> coalesce(${lastNoted}, '')`,
          `INSERT INTO ${noted} (room_id, status, since, recorded_at)
SELECT r.id, r.status, CASE WHEN ${lastNoted} IS NULL THEN ${SINCE_FIRST} ELSE r.last_activity_at END,
  r.last_activity_at
FROM ${rooms} r WHERE r.id = NEW.id
ON CONFLICT (room_id, recorded_at) DO UPDATE SET status = excluded.status, since = excluded.since`,
        ),
      ],
    },
  ];
}

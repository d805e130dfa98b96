import { type Feed, tableOf } from '../feeds/feeds.ts';

/** The feeds whose tables the views read. */
export const VIEWED_FEEDS: readonly Feed[] = [
  'decision-rooms',
  'room-scores',
  'people',
  'documents',
  'engagement/events',
  'engagement/views',
];

/** A view for analysts, beside the tables. */
export interface View {
  name: string;
  /** The query that it is. */
  query: string;
}

/** What the databases have no common SQL for. */
export interface Dialect {
  /** A table, as SQL names it. */
  table: (name: string) => string;
  /** The items of a JSON list, as the table `item` with the column `value`. */
  items: (list: string) => string;
}

/** The names of the views. */
export const VIEW_NAMES = ['deals', 'watched_recordings', 'activity'] as const;

const OWNER = ['id', 'name', 'email'] as const;

/** The columns of an owner, or of an actor, from their JSON. The id is a number. */
function flattened(json: string, as: string, fields: readonly (typeof OWNER)[number][] = OWNER): string {
  return fields
    .map((field) => {
      const text = `${json} ->> '${field}'`;
      return `${field === 'id' ? `CAST(${text} AS bigint)` : text} AS ${as}_${field}`;
    })
    .join(', ');
}

/**
 * The views over the tables of a store. Their SQL is that of SQLite and PostgreSQL alike, except for what the dialect says.
 *
 * - `deals`: a room with its amount, its owner, its score and when somebody last did something.
 * - `watched_recordings`: what a person has watched of a recording, as the union of all their sessions. Two sessions of 60 %
 *   can be anything from 60 to 100 % of it, so the sum or the maximum of the sessions is wrong.
 * - `activity`: the events and the sessions in one list, with names.
 */
export function viewsOf(prefix: string, { table, items }: Dialect): View[] {
  const of = (feed: Feed): string => table(prefix + tableOf(feed));
  const [deals, watched, activity] = VIEW_NAMES.map((name) => prefix + name) as [string, string, string];
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
      // A range counts from where the ranges before it have reached.
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
  ];
}

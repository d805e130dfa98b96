-- The roll-ups: the sums over events, views, messages and share links that the room metrics show. The capture that writes the
-- rows updates them. The functions called roll_up_... add rows that were just written. Nothing is subtracted, because recorded
-- activity never changes: an erasure replaces the identity, here as well. After a manual correction, whole rooms are computed
-- again.
--
-- People are counted by their identity: that of the share link's recipient at the time of the activity.

-- Returns the played ranges of a view in milliseconds, numbered in the order of playing.
CREATE OR REPLACE FUNCTION segments_ms(segments jsonb) RETURNS TABLE (n bigint, from_ms bigint, to_ms bigint) LANGUAGE sql IMMUTABLE AS $$
  SELECT s.n, round((s.segment ->> 0)::numeric * 1000)::bigint, round((s.segment ->> 1)::numeric * 1000)::bigint
  FROM jsonb_array_elements(segments) WITH ORDINALITY AS s (segment, n)
$$;

-- Returns how long a view played, including rewatches, and which parts of the recording, with overlaps merged. This function and
-- distinct_time return tables because PostgreSQL then inlines them, which is ten times as fast as calling them.
CREATE OR REPLACE FUNCTION played(segments jsonb) RETURNS TABLE (watch_ms bigint, ranges int8multirange) LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(sum(s.to_ms - s.from_ms), 0)::bigint, coalesce(range_agg(int8range(s.from_ms, s.to_ms)), '{}')
  FROM segments_ms(segments) AS s
$$;

-- Returns the length of the played parts, each counted once and only up to the end of the recording. A length of 0 is unknown.
CREATE OR REPLACE FUNCTION distinct_time(ranges int8multirange, duration_seconds int) RETURNS TABLE (ms bigint) LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(sum(upper(r.part) - lower(r.part)), 0)::bigint
  FROM unnest(ranges * int8multirange(int8range(0, nullif(duration_seconds, 0) * 1000::bigint))) AS r (part)
$$;

-- Returns the played share of a recording in percent, rounded down; null if its length is unknown.
CREATE OR REPLACE FUNCTION completion_percent(distinct_ms bigint, duration_seconds int) RETURNS int LANGUAGE sql IMMUTABLE
  RETURN CASE WHEN duration_seconds > 0 THEN least(100, distinct_ms / (10 * duration_seconds::bigint)) END;

-- Returns calls by their ids. With `=`, a plan from before PostgreSQL had statistics uses another index that begins with the
-- workspace, and reads all calls of the workspace for each id: docs/decisions/22-plans-that-are-kept.md.
CREATE OR REPLACE FUNCTION calls_of(workspace int, call_ids uuid[]) RETURNS SETOF calls LANGUAGE sql STABLE AS $$
  SELECT c.* FROM unnest(call_ids) AS n (id)
  CROSS JOIN LATERAL (
    SELECT * FROM calls c WHERE c.company_id = workspace AND c.id BETWEEN n.id AND n.id ORDER BY c.id LIMIT 1
  ) AS c
$$;

-- Returns share links by their ids, in this order. LIMIT forces a lookup of each link: a join may read all links of the
-- workspace.
CREATE OR REPLACE FUNCTION links_of(workspace int, link_ids uuid[]) RETURNS SETOF distributions LANGUAGE sql STABLE AS $$
  SELECT d.* FROM unnest(link_ids) WITH ORDINALITY AS n (id, place)
  CROSS JOIN LATERAL (SELECT * FROM distributions d WHERE d.company_id = workspace AND d.id = n.id LIMIT 1) AS d
  ORDER BY n.place
$$;

-- Adds engagement events, given by their columns in id order. A message of the conversation is included if it came from the
-- prospect.
CREATE OR REPLACE FUNCTION roll_up_events(
  workspace int, rooms uuid[], identities text[], names text[], types text[], documents uuid[], times timestamptz[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO room_totals AS t (company_id, room_id, events, trailer_views, last_activity_at)
  SELECT workspace, e.room, count(*), count(*) FILTER (WHERE e.type = 'trailer_view'), max(e.at)
  FROM unnest(rooms, types, times) AS e (room, type, at) GROUP BY e.room
  ON CONFLICT (company_id, room_id) DO UPDATE SET
    events = t.events + EXCLUDED.events, trailer_views = t.trailer_views + EXCLUDED.trailer_views,
    last_activity_at = greatest(t.last_activity_at, EXCLUDED.last_activity_at);

  INSERT INTO room_people AS p
    (company_id, room_id, identity, name, trailer_views, trailer_completes, room_visits, doc_opens, map_checkoffs,
     comments, messages, forwards, last_activity_at)
  SELECT workspace, e.room, e.identity,
         (array_agg(e.name ORDER BY e.n DESC) FILTER (WHERE e.name IS NOT NULL))[1],
         count(*) FILTER (WHERE e.type = 'trailer_view'), count(*) FILTER (WHERE e.type = 'trailer_complete'),
         count(*) FILTER (WHERE e.type = 'room_visit'), count(*) FILTER (WHERE e.type = 'doc_open'),
         count(*) FILTER (WHERE e.type = 'map_checkoff'), count(*) FILTER (WHERE e.type = 'comment'),
         count(*) FILTER (WHERE e.type = 'message'), count(*) FILTER (WHERE e.type = 'forward'), max(e.at)
  FROM unnest(rooms, identities, names, types, times) WITH ORDINALITY AS e (room, identity, name, type, at, n)
  WHERE e.identity IS NOT NULL GROUP BY e.room, e.identity
  ON CONFLICT (company_id, room_id, identity) DO UPDATE SET
    name = coalesce(p.name, EXCLUDED.name),
    trailer_views = p.trailer_views + EXCLUDED.trailer_views,
    trailer_completes = p.trailer_completes + EXCLUDED.trailer_completes,
    room_visits = p.room_visits + EXCLUDED.room_visits,
    doc_opens = p.doc_opens + EXCLUDED.doc_opens,
    map_checkoffs = p.map_checkoffs + EXCLUDED.map_checkoffs,
    comments = p.comments + EXCLUDED.comments,
    messages = p.messages + EXCLUDED.messages,
    forwards = p.forwards + EXCLUDED.forwards,
    last_activity_at = greatest(p.last_activity_at, EXCLUDED.last_activity_at);

  -- Most events open no document, and even an INSERT of no rows must be prepared.
  IF 'doc_open' <> ALL (types) THEN RETURN; END IF;
  WITH opened AS MATERIALIZED (
    SELECT e.room_id, e.doc_id, e.identity FROM unnest(rooms, identities, types, documents) AS e (room_id, identity, type, doc_id)
    WHERE e.type = 'doc_open' AND e.doc_id IS NOT NULL
  ), opens AS (
    INSERT INTO room_document_opens AS o (company_id, room_id, doc_id, opens)
    SELECT workspace, room_id, doc_id, count(*) FROM opened GROUP BY room_id, doc_id
    ON CONFLICT (company_id, room_id, doc_id) DO UPDATE SET opens = o.opens + EXCLUDED.opens
  ), first_opens AS (
    INSERT INTO room_document_openers (company_id, room_id, doc_id, identity)
    SELECT DISTINCT workspace, room_id, doc_id, identity FROM opened WHERE identity IS NOT NULL
    ON CONFLICT DO NOTHING
    RETURNING room_id, identity
  )
  -- An upsert rather than a join: when all rows of a workspace are added at once, the plan of a join would compare each person
  -- with each document. All of these people already have rows.
  INSERT INTO room_people AS p (company_id, room_id, identity, docs_opened)
  SELECT workspace, room_id, identity, count(*) FROM first_opens GROUP BY room_id, identity
  ON CONFLICT (company_id, room_id, identity) DO UPDATE SET docs_opened = p.docs_opened + EXCLUDED.docs_opened;
END $$;

-- Adds views.
CREATE OR REPLACE FUNCTION roll_up_views(workspace int, view_ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH viewed AS MATERIALIZED (
    SELECT id, kind, buyer_space_id AS room_id, distribution_id, demo_id, doc_id, identity, actor_email, actor_name, ended_at,
           watch_seconds, p.watch_ms, p.ranges
    FROM engagement_views
    CROSS JOIN LATERAL played(CASE WHEN kind = 'trailer' THEN segments ELSE '[]' END) AS p
    WHERE company_id = workspace AND id = ANY (view_ids)
  ), totals AS (
    INSERT INTO room_totals AS t (company_id, room_id, watch_ms, last_activity_at)
    SELECT workspace, room_id, sum(watch_ms), max(ended_at) FROM viewed GROUP BY room_id
    ON CONFLICT (company_id, room_id) DO UPDATE SET
      watch_ms = t.watch_ms + EXCLUDED.watch_ms,
      last_activity_at = greatest(t.last_activity_at, EXCLUDED.last_activity_at)
  ), people AS (
    INSERT INTO room_people AS p (company_id, room_id, identity, name, watch_ms, last_activity_at)
    SELECT workspace, room_id, identity,
           (array_agg(actor_name ORDER BY id DESC) FILTER (WHERE actor_name IS NOT NULL))[1], sum(watch_ms), max(ended_at)
    FROM viewed GROUP BY room_id, identity
    ON CONFLICT (company_id, room_id, identity) DO UPDATE SET
      name = coalesce(p.name, EXCLUDED.name),
      watch_ms = p.watch_ms + EXCLUDED.watch_ms,
      last_activity_at = greatest(p.last_activity_at, EXCLUDED.last_activity_at)
  ), readings AS (
    INSERT INTO room_readings AS r
      (company_id, room_id, doc_id, distribution_id, identity, email, name, seconds, sessions, last_viewed_at)
    SELECT workspace, room_id, doc_id, distribution_id, identity, (array_agg(actor_email ORDER BY id DESC))[1],
           (array_agg(actor_name ORDER BY id DESC) FILTER (WHERE actor_name IS NOT NULL))[1], sum(watch_seconds), count(*),
           max(ended_at)
    FROM viewed WHERE kind = 'document' GROUP BY room_id, doc_id, distribution_id, identity
    ON CONFLICT (company_id, room_id, doc_id, distribution_id, identity) DO UPDATE SET
      email = EXCLUDED.email, name = coalesce(EXCLUDED.name, r.name), seconds = r.seconds + EXCLUDED.seconds,
      sessions = r.sessions + EXCLUDED.sessions, last_viewed_at = greatest(r.last_viewed_at, EXCLUDED.last_viewed_at)
  ), watches AS (
    SELECT room_id, demo_id, distribution_id, identity, count(*) AS views, sum(watch_ms) AS watch_ms,
           range_agg(ranges) AS played, max(ended_at) AS last_viewed_at
    FROM viewed WHERE kind = 'trailer' AND demo_id IS NOT NULL GROUP BY room_id, demo_id, distribution_id, identity
  )
  INSERT INTO room_watches AS w
    (company_id, room_id, demo_id, distribution_id, identity, views, watch_ms, played, distinct_ms, last_viewed_at)
  SELECT workspace, n.room_id, n.demo_id, n.distribution_id, n.identity, n.views, n.watch_ms, n.played,
         t.ms, n.last_viewed_at
  FROM watches n
  LEFT JOIN LATERAL calls_of(workspace, ARRAY[n.demo_id]) AS c ON true
  CROSS JOIN LATERAL distinct_time(n.played, c.duration_seconds) AS t
  ON CONFLICT (company_id, room_id, demo_id, distribution_id, identity) DO UPDATE SET
    views = w.views + EXCLUDED.views,
    watch_ms = w.watch_ms + EXCLUDED.watch_ms,
    played = w.played + EXCLUDED.played,
    distinct_ms = (
      SELECT t.ms
      FROM calls_of(workspace, ARRAY[EXCLUDED.demo_id]) AS c
      CROSS JOIN LATERAL distinct_time(w.played + EXCLUDED.played, c.duration_seconds) AS t
    ),
    last_viewed_at = greatest(w.last_viewed_at, EXCLUDED.last_viewed_at);
  PERFORM roll_up_heatmaps(workspace, view_ids);
END $$;

-- Adds messages.
CREATE OR REPLACE FUNCTION roll_up_messages(workspace int, keys text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO room_totals AS t (company_id, room_id, prospect_messages, seller_messages, last_message_at)
  SELECT workspace, room_id, count(*) FILTER (WHERE side = 'prospect'), count(*) FILTER (WHERE side = 'seller'), max(sent_at)
  FROM messages WHERE company_id = workspace AND key = ANY (keys) GROUP BY room_id
  ON CONFLICT (company_id, room_id) DO UPDATE SET
    prospect_messages = t.prospect_messages + EXCLUDED.prospect_messages,
    seller_messages = t.seller_messages + EXCLUDED.seller_messages,
    last_message_at = greatest(t.last_message_at, EXCLUDED.last_message_at);
END $$;

-- Adds share links.
-- @param renames whether the names of the links are newer than the known ones. Later links have newer names.
CREATE OR REPLACE FUNCTION roll_up_links(workspace int, link_ids uuid[], renames boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO room_people AS p (company_id, room_id, identity, name, links)
  SELECT workspace, d.room_id, d.identity,
         (array_agg(d.recipient_name ORDER BY d.n DESC) FILTER (WHERE d.recipient_name IS NOT NULL))[1], count(*)
  FROM (SELECT *, row_number() OVER () AS n FROM links_of(workspace, link_ids)) AS d
  GROUP BY d.room_id, d.identity
  ON CONFLICT (company_id, room_id, identity) DO UPDATE SET
    name = CASE WHEN renames THEN coalesce(EXCLUDED.name, p.name) ELSE coalesce(p.name, EXCLUDED.name) END,
    links = p.links + EXCLUDED.links;

  INSERT INTO room_watches (company_id, room_id, demo_id, distribution_id, identity, addressed)
  SELECT workspace, room_id, call_id, id, identity, true
  FROM links_of(workspace, link_ids) WHERE call_id IS NOT NULL
  ON CONFLICT (company_id, room_id, demo_id, distribution_id, identity) DO UPDATE SET addressed = true;
END $$;

-- Removes links from their current recipients before they are addressed to others. Activity through a link stays with its
-- recipient at the time.
CREATE OR REPLACE FUNCTION take_back_links(workspace int, link_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH addressed AS (
    SELECT room_id, call_id, id, identity FROM links_of(workspace, link_ids)
  ), people AS (
    UPDATE room_people p SET links = p.links - a.links
    FROM (SELECT room_id, identity, count(*) AS links FROM addressed GROUP BY room_id, identity) AS a
    WHERE p.company_id = workspace AND p.room_id = a.room_id AND p.identity = a.identity
  )
  UPDATE room_watches w SET addressed = false
  FROM addressed a
  WHERE w.company_id = workspace AND w.room_id = a.room_id AND w.demo_id = a.call_id AND w.distribution_id = a.id
    AND w.identity = a.identity;
END $$;

-- Applies corrected lengths of recordings, which determine the buckets of heat-maps and the completion.
CREATE OR REPLACE FUNCTION roll_up_durations(workspace int, call_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE room_watches w SET distinct_ms = (SELECT ms FROM distinct_time(w.played, c.duration_seconds))
  FROM calls c
  WHERE c.company_id = workspace AND c.id = ANY (call_ids)
    AND w.company_id = workspace AND w.demo_id = c.id AND w.views > 0;
  DELETE FROM link_heatmaps h USING room_watches w
  WHERE w.company_id = workspace AND w.demo_id = ANY (call_ids)
    AND h.company_id = workspace AND h.distribution_id = w.distribution_id AND h.demo_id = w.demo_id;
  PERFORM roll_up_heatmaps(workspace, array_agg(id))
  FROM engagement_views WHERE company_id = workspace AND demo_id = ANY (call_ids) AND kind = 'trailer';
END $$;

-- Computes the roll-ups and the people of rooms again from the rows that they sum up, and returns the number of rooms. Use it
-- after such rows were written or corrected manually. Names are kept, because only the order of capture determines the newest
-- one.
CREATE OR REPLACE FUNCTION rebuild_room_roll_ups(workspace int, rooms uuid[]) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  -- Holding the clock keeps captures out.
  reading timestamptz := take_feed_clock(workspace);
BEGIN
  PERFORM keep_plans();
  -- Activity that the erasure has not searched yet still has the identity of an erased person, who would become a person again.
  IF EXISTS (SELECT FROM erasure_runs WHERE company_id = workspace) THEN
    RAISE EXCEPTION 'an erasure of workspace % is running; rebuild its rooms after it has finished', workspace;
  END IF;
  DELETE FROM room_totals WHERE company_id = workspace AND room_id = ANY (rooms);
  DELETE FROM room_watches WHERE company_id = workspace AND room_id = ANY (rooms);
  DELETE FROM room_readings WHERE company_id = workspace AND room_id = ANY (rooms);
  DELETE FROM room_document_opens WHERE company_id = workspace AND room_id = ANY (rooms);
  DELETE FROM room_document_openers WHERE company_id = workspace AND room_id = ANY (rooms);
  DELETE FROM link_heatmaps h USING distributions d
  WHERE d.company_id = workspace AND d.room_id = ANY (rooms) AND h.company_id = workspace AND h.distribution_id = d.id;
  UPDATE room_people SET
    links = 0, trailer_views = 0, trailer_completes = 0, room_visits = 0, doc_opens = 0, docs_opened = 0, map_checkoffs = 0,
    comments = 0, messages = 0, forwards = 0, watch_ms = 0, last_activity_at = NULL
  WHERE company_id = workspace AND room_id = ANY (rooms);

  PERFORM roll_up_links(workspace, array_agg(id ORDER BY id DESC), false)
  FROM distributions WHERE company_id = workspace AND room_id = ANY (rooms);
  PERFORM roll_up_events(
    workspace, array_agg(buyer_space_id ORDER BY id), array_agg(identity ORDER BY id), array_agg(actor_name ORDER BY id),
    array_agg(type ORDER BY id), array_agg(doc_id ORDER BY id), array_agg(occurred_at ORDER BY id))
  FROM engagement_events WHERE company_id = workspace AND buyer_space_id = ANY (rooms);
  PERFORM roll_up_views(workspace, array_agg(id))
  FROM engagement_views WHERE company_id = workspace AND buyer_space_id = ANY (rooms);
  PERFORM roll_up_messages(workspace, array_agg(key))
  FROM messages WHERE company_id = workspace AND room_id = ANY (rooms);
  PERFORM refresh_people(workspace, reading, array_agg(room_id), array_agg(identity)) FROM (
    SELECT room_id, identity FROM people WHERE company_id = workspace AND room_id = ANY (rooms)
    UNION
    SELECT room_id, identity FROM room_members WHERE company_id = workspace AND room_id = ANY (rooms)
    UNION
    SELECT room_id, identity FROM room_people WHERE company_id = workspace AND room_id = ANY (rooms)
  ) AS shown;
  RETURN cardinality(rooms);
END $$;

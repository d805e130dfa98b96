-- Applies, from prisma/sql: delivery-subjects.sql, endpoint-pace.sql, heat-maps.sql, people.sql, roll-ups.sql, search-words.sql

-- What deliveries are about, by which their lists find them.

-- What stands for a person in "webhook_delivery_subjects": the first half of a hash, because an address can be long and a key
-- should be short. The address is in lower case. Not md5(), which a server that only allows FIPS algorithms refuses.
CREATE OR REPLACE FUNCTION "person_subject"("email" TEXT) RETURNS UUID LANGUAGE sql STABLE
RETURN encode(substr(sha256(convert_to("email", 'UTF8')), 1, 16), 'hex')::uuid;

-- The subjects of the deliveries of an event that is about these.
CREATE OR REPLACE FUNCTION "delivery_subjects"("room_id" UUID, "call_id" UUID, "person" TEXT)
RETURNS TABLE ("kind" "delivery_subject_kind", "subject" UUID) LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT s."kind", s."subject"
  FROM (VALUES
    ('room'::"delivery_subject_kind", "delivery_subjects"."room_id"),
    ('call', "delivery_subjects"."call_id"),
    ('person', person_subject("delivery_subjects"."person"))
  ) AS s ("kind", "subject")
  WHERE s."subject" IS NOT NULL;
END;

-- How many deliveries of an endpoint may be claimed in any minute.
--
-- These are functions and no parts of the statement that claims, because each statement in a function sees what was
-- committed before it began. The statement that claims would count what it saw when it began, before the other
-- dispatcher committed, and both would take the same.
--
-- A claim counts until a minute after the end of the second in which it was made. A time that is still to come, because
-- the clock was set back, does not count.

-- Locks a pace until the end of the transaction and returns how many deliveries it allows now. If somebody else has
-- locked it, that is none: whoever claims for the endpoint at the moment may take all there is.
CREATE OR REPLACE FUNCTION "lock_pace"("workspace" INTEGER, "endpoint" INTEGER) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  "moment" TIMESTAMPTZ := clock_timestamp();
  "allowed" INTEGER;
BEGIN
  SELECT "max_per_minute" - coalesce((
    SELECT sum("claims") FROM unnest("claimed_at", "claimed") AS "recent" ("at", "claims")
    WHERE "at" > "moment" - interval '1 minute' AND "at" <= "moment" + interval '1 second'
  ), 0) INTO "allowed"
  FROM "endpoint_paces" WHERE "company_id" = "workspace" AND "endpoint_id" = "endpoint" FOR NO KEY UPDATE SKIP LOCKED;
  RETURN greatest(0, coalesce("allowed", 0));
END $$;

-- Counts deliveries that were claimed under a pace, which the caller has locked. It forgets what no longer counts, so a
-- row never has more than 61 times.
CREATE OR REPLACE FUNCTION "spend_pace"("workspace" INTEGER, "endpoint" INTEGER, "claims_made" INTEGER) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  "moment" TIMESTAMPTZ := clock_timestamp();
BEGIN
  UPDATE "endpoint_paces" SET ("claimed_at", "claimed") = (
    SELECT array_agg("at" ORDER BY "at"), array_agg("claims" ORDER BY "at") FROM (
      SELECT "at", sum("claims")::int AS "claims" FROM (
        SELECT "at", "claims" FROM unnest("claimed_at", "claimed") AS "recent" ("at", "claims")
        WHERE "at" > "moment" - interval '1 minute' AND "at" <= "moment" + interval '1 second'
        UNION ALL
        SELECT date_trunc('second', "moment") + interval '1 second', "claims_made"
      ) AS "all_claims" GROUP BY "at"
    ) AS "by_second"
  ) WHERE "company_id" = "workspace" AND "endpoint_id" = "endpoint";
  RETURN "claims_made";
END $$;

-- The heat-maps: how often each bucket of a recording was played through a share link. They are kept as steps, the differences from
-- one bucket to the next, so a pass over any number of buckets changes two numbers.

-- How long a bucket of a heat-map is: 200 buckets at most.
CREATE OR REPLACE FUNCTION heatmap_bucket_seconds(duration_seconds int) RETURNS int LANGUAGE sql IMMUTABLE
  RETURN CASE WHEN duration_seconds > 0 THEN (duration_seconds - 1) / 200 + 1 END;

-- Adds 1 to the steps of the positive numbers, and subtracts 1 from those of the negative ones.
CREATE OR REPLACE FUNCTION with_steps(steps int[], edges int[]) RETURNS int[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  edge int;
BEGIN
  FOREACH edge IN ARRAY coalesce(edges, '{}') LOOP
    steps[abs(edge)] := steps[abs(edge)] + sign(edge)::int;
  END LOOP;
  RETURN steps;
END $$;

-- Adds views of recordings to the heat-maps of their links. The settings are those of the roll-ups (roll-ups.sql says why).
CREATE OR REPLACE FUNCTION roll_up_heatmaps(workspace int, view_ids bigint[]) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  WITH played AS (
    SELECT v.id, v.distribution_id, v.demo_id, s.n, s.from_ms, s.to_ms,
           c.duration_seconds * 1000::bigint AS end_ms,
           heatmap_bucket_seconds(c.duration_seconds) * 1000::bigint AS bucket_ms,
           s.from_ms IS DISTINCT FROM lag(s.to_ms) OVER (PARTITION BY v.id ORDER BY s.n) AS begins
    FROM engagement_views v
    JOIN calls c ON c.company_id = v.company_id AND c.id = v.demo_id
    CROSS JOIN LATERAL segments_ms(v.segments) AS s
    WHERE v.company_id = workspace AND v.id = ANY (view_ids) AND v.kind = 'trailer' AND c.duration_seconds > 0
  ), numbered AS (
    SELECT *, count(*) FILTER (WHERE begins) OVER (PARTITION BY id ORDER BY n) AS pass FROM played
  ), passes AS (
    -- Players report in pieces: ranges that continue each other are one pass.
    SELECT id, distribution_id, demo_id, end_ms, bucket_ms, min(from_ms) AS from_ms, least(max(to_ms), end_ms) AS to_ms
    FROM numbered GROUP BY id, pass, distribution_id, demo_id, end_ms, bucket_ms
    HAVING min(from_ms) < least(max(to_ms), end_ms)
  ), touched AS (
    SELECT *, from_ms / bucket_ms AS first, (to_ms - 1) / bucket_ms AS last FROM passes
  ), bounded AS (
    SELECT *, first * bucket_ms AS first_start, least((first + 1) * bucket_ms, end_ms) AS first_end,
           last * bucket_ms AS last_start, least((last + 1) * bucket_ms, end_ms) AS last_end
    FROM touched
  ), halves AS (
    -- A pass plays every bucket between its first and its last one; of those two it may play less than half.
    SELECT distribution_id, demo_id,
           first + (2 * (least(to_ms, first_end) - from_ms) < first_end - first_start)::int AS first_played,
           last - (first < last AND 2 * (to_ms - last_start) < last_end - last_start)::int AS last_played
    FROM bounded
  ), visits AS (
    SELECT distribution_id, demo_id, unnest(range_agg(int8range(first, last + 1))) AS visited
    FROM touched GROUP BY id, distribution_id, demo_id
  ), edges AS (
    -- A bucket counts from the step with its number on; steps are numbered from 1.
    SELECT distribution_id, demo_id, true AS is_play, unnest(ARRAY[first_played + 1, -(last_played + 2)])::int AS edge
    FROM halves WHERE first_played <= last_played
    UNION ALL
    SELECT distribution_id, demo_id, false, unnest(ARRAY[lower(visited) + 1, -(upper(visited) + 1)])::int FROM visits
  ), added AS (
    SELECT distribution_id, demo_id, array_agg(edge) FILTER (WHERE is_play) AS plays,
           array_agg(edge) FILTER (WHERE NOT is_play) AS visits
    FROM edges GROUP BY distribution_id, demo_id
  )
  INSERT INTO link_heatmaps (company_id, distribution_id, demo_id, play_steps, visit_steps)
  SELECT workspace, a.distribution_id, a.demo_id,
         -- 200 buckets, and the step after the last.
         with_steps(coalesce(h.play_steps, array_fill(0, ARRAY[201])), a.plays),
         with_steps(coalesce(h.visit_steps, array_fill(0, ARRAY[201])), a.visits)
  FROM added a
  -- The limit keeps the planner from reading the whole table to join it.
  LEFT JOIN LATERAL (
    SELECT play_steps, visit_steps FROM link_heatmaps
    WHERE company_id = workspace AND distribution_id = a.distribution_id AND demo_id = a.demo_id LIMIT 1
  ) AS h ON true
  ON CONFLICT (company_id, distribution_id, demo_id) DO UPDATE SET
    play_steps = EXCLUDED.play_steps, visit_steps = EXCLUDED.visit_steps;
END $$;

-- The people of a room: those of its People section, those that share links are addressed to, and those who were active.

-- The identity of somebody in `room_people`: the address, or the share link of a recipient without one. Members of a room with
-- an address have the same identity.
CREATE OR REPLACE FUNCTION active_identity(email text, person text) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN CASE WHEN email IS NULL THEN 'link:' ELSE 'email:' END || person;

-- The id of a person follows from the room and the identity: after a restore that lost commits, the same person gets the same
-- id, so the copies of consumers have nobody twice. The form is that of a UUID of version 8.
CREATE OR REPLACE FUNCTION person_id(room uuid, identity text) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(set_byte(set_byte(hash, 6, get_byte(hash, 6) & 15 | 128), 8, get_byte(hash, 8) & 63 | 128), 'hex')::uuid
  FROM (SELECT substr(sha256(convert_to(room::text || ' ' || identity, 'UTF8')), 1, 16) AS hash) AS hashed
$$;

-- All stakeholders of a workspace, as the room metrics list them.
CREATE OR REPLACE FUNCTION stakeholders_of(workspace int)
RETURNS TABLE (room_id uuid, identity text, email text, name text, role text, title text, in_committee boolean)
LANGUAGE sql STABLE AS $$
  SELECT coalesce(m.room_id, a.room_id), coalesce(m.identity, a.identity),
         CASE WHEN m.email IS NULL THEN a.email ELSE substr(m.identity, 7) END, coalesce(m.name, a.name), m.role, m.title,
         m.identity IS NOT NULL
  FROM (SELECT * FROM room_members WHERE company_id = workspace) AS m
  FULL JOIN (
    SELECT p.room_id, active_identity(p.email, p.person) COLLATE "C" AS identity, p.email, p.name
    FROM room_people p WHERE p.company_id = workspace AND (p.links > 0 OR p.last_activity_at IS NOT NULL)
  ) AS a ON a.room_id = m.room_id AND a.identity = m.identity
$$;

-- Writes what is shown of one person, if that has changed: the same as stakeholders_of, for one identity. It runs in the
-- transaction of the change, which holds the feed clock, so the reading of that is the person's position in the feed.
CREATE OR REPLACE FUNCTION refresh_person(workspace int, room uuid, who text) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  -- The key in room_people: what follows `email:` or `link:`. A member without an address is nobody there.
  active text := CASE WHEN who LIKE 'email:%' THEN substr(who, 7) WHEN who LIKE 'link:%' THEN substr(who, 6) END;
  now_at timestamptz(3);
BEGIN
  SELECT at INTO now_at FROM feed_clocks WHERE company_id = workspace;
  INSERT INTO people AS p
    (company_id, id, room_id, identity, email, name, role, title, in_committee, removed_at, updated_at)
  SELECT workspace, person_id(room, who), room, who, CASE WHEN m.email IS NULL THEN a.email ELSE substr(m.identity, 7) END,
         coalesce(m.name, a.name), m.role, m.title, m.identity IS NOT NULL, NULL, now_at
  FROM (SELECT 1) AS one
  LEFT JOIN room_members m ON m.company_id = workspace AND m.room_id = room AND m.identity = who
  LEFT JOIN room_people a ON a.company_id = workspace AND a.room_id = room AND a.person = active COLLATE "C"
    AND (a.links > 0 OR a.last_activity_at IS NOT NULL)
  WHERE m.identity IS NOT NULL OR a.person IS NOT NULL
  ON CONFLICT (company_id, room_id, identity) DO UPDATE SET
    email = EXCLUDED.email, name = EXCLUDED.name, role = EXCLUDED.role, title = EXCLUDED.title,
    in_committee = EXCLUDED.in_committee, removed_at = NULL, updated_at = EXCLUDED.updated_at
  WHERE (p.email, p.name, p.role, p.title, p.in_committee, p.removed_at)
    IS DISTINCT FROM (EXCLUDED.email, EXCLUDED.name, EXCLUDED.role, EXCLUDED.title, EXCLUDED.in_committee, NULL);
  IF NOT EXISTS (SELECT FROM room_members WHERE company_id = workspace AND room_id = room AND identity = who)
     AND NOT EXISTS (SELECT FROM room_people a WHERE a.company_id = workspace AND a.room_id = room
                       AND a.person = active COLLATE "C" AND (a.links > 0 OR a.last_activity_at IS NOT NULL)) THEN
    UPDATE people SET in_committee = false, removed_at = now_at, updated_at = now_at
    WHERE company_id = workspace AND room_id = room AND identity = who AND removed_at IS NULL;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION refresh_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM refresh_person(OLD.company_id, OLD.room_id, OLD.identity);
  ELSE
    PERFORM refresh_person(NEW.company_id, NEW.room_id, NEW.identity);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION refresh_active_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_person(NEW.company_id, NEW.room_id, active_identity(NEW.email, NEW.person));
  RETURN NULL;
END $$;

-- They run when the transaction commits, so a person who ends as the transaction found them does not move in the feed. What
-- people do changes their row of room_people all the time, but nothing that is shown here: the condition is checked right
-- away, and such a change is not even remembered.
DROP TRIGGER IF EXISTS refresh_person ON room_members;
CREATE CONSTRAINT TRIGGER refresh_person AFTER INSERT OR UPDATE OR DELETE ON room_members
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refresh_member();
DROP TRIGGER IF EXISTS refresh_new_person ON room_people;
CREATE CONSTRAINT TRIGGER refresh_new_person AFTER INSERT ON room_people
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refresh_active_person();
DROP TRIGGER IF EXISTS refresh_person ON room_people;
CREATE CONSTRAINT TRIGGER refresh_person AFTER UPDATE ON room_people
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.email, OLD.name, OLD.links > 0 OR OLD.last_activity_at IS NOT NULL)
        IS DISTINCT FROM (NEW.email, NEW.name, NEW.links > 0 OR NEW.last_activity_at IS NOT NULL))
  EXECUTE FUNCTION refresh_active_person();

-- The roll-ups: what the room metrics show of events, views, messages and share links, added up when they are captured. The functions
-- called roll_up_... add rows that were just written, which the caller names by id. Activity that was recorded never changes, so
-- nothing is subtracted; after a correction by hand, whole rooms are computed again.

-- Who did something: the person that the share link was addressed to at that moment. Null for a message that came neither
-- through a link nor with an address. Addresses are ASCII, so the collation makes lower() agree with every other one.
CREATE OR REPLACE FUNCTION person_of(email text, link uuid) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN coalesce(lower(email COLLATE "C"), link::text) COLLATE "C";

-- The played ranges of a view in milliseconds, numbered in the order of playing.
CREATE OR REPLACE FUNCTION segments_ms(segments jsonb) RETURNS TABLE (n bigint, from_ms bigint, to_ms bigint) LANGUAGE sql IMMUTABLE AS $$
  SELECT s.n, round((s.segment ->> 0)::numeric * 1000)::bigint, round((s.segment ->> 1)::numeric * 1000)::bigint
  FROM jsonb_array_elements(segments) WITH ORDINALITY AS s (segment, n)
$$;

-- How long a view played, rewatches included, and which parts of the recording, overlaps merged. This and distinct_time
-- return tables because PostgreSQL then makes them part of the statement, which is ten times as fast as calling them.
CREATE OR REPLACE FUNCTION played(segments jsonb) RETURNS TABLE (watch_ms bigint, ranges int8multirange) LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(sum(s.to_ms - s.from_ms), 0)::bigint, coalesce(range_agg(int8range(s.from_ms, s.to_ms)), '{}')
  FROM segments_ms(segments) AS s
$$;

-- How long the played parts are, each counted once and only up to the end of the recording. A length of 0 is unknown.
CREATE OR REPLACE FUNCTION distinct_time(ranges int8multirange, duration_seconds int) RETURNS TABLE (ms bigint) LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(sum(upper(r.part) - lower(r.part)), 0)::bigint
  FROM unnest(ranges * int8multirange(int8range(0, nullif(duration_seconds, 0) * 1000::bigint))) AS r (part)
$$;

-- The played share of a recording in percent, rounded down; null if its length is unknown.
CREATE OR REPLACE FUNCTION completion_percent(distinct_ms bigint, duration_seconds int) RETURNS int LANGUAGE sql IMMUTABLE
  RETURN CASE WHEN duration_seconds > 0 THEN least(100, distinct_ms / (10 * duration_seconds::bigint)) END;

-- The functions that add rows to the roll-ups follow. They use one plan for any number of rows, because planning for the rows
-- at hand takes as long as adding them. A session keeps that plan while the tables grow, so it must find everything through an
-- index: a plan made for an empty table would otherwise read it as a whole for each row.

-- Adds engagement events. A message of the conversation is one of them if it came from the prospect.
CREATE OR REPLACE FUNCTION roll_up_events(workspace int, event_ids bigint[]) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  WITH recorded AS MATERIALIZED (
    SELECT id, buyer_space_id AS room_id, person_of(actor_email, distribution_id) AS person, actor_email, actor_name, type,
           doc_id, occurred_at
    FROM engagement_events WHERE company_id = workspace AND id = ANY (event_ids)
  ), totals AS (
    INSERT INTO room_totals AS t (company_id, room_id, events, trailer_views, last_activity_at)
    SELECT workspace, room_id, count(*), count(*) FILTER (WHERE type = 'trailer_view'), max(occurred_at)
    FROM recorded GROUP BY room_id
    ON CONFLICT (company_id, room_id) DO UPDATE SET
      events = t.events + EXCLUDED.events, trailer_views = t.trailer_views + EXCLUDED.trailer_views,
      last_activity_at = greatest(t.last_activity_at, EXCLUDED.last_activity_at)
  ), opens AS (
    INSERT INTO room_document_opens AS o (company_id, room_id, doc_id, opens)
    SELECT workspace, room_id, doc_id, count(*) FROM recorded WHERE type = 'doc_open' AND doc_id IS NOT NULL
    GROUP BY room_id, doc_id
    ON CONFLICT (company_id, room_id, doc_id) DO UPDATE SET opens = o.opens + EXCLUDED.opens
  ), first_opens AS (
    INSERT INTO room_document_openers (company_id, room_id, doc_id, person)
    SELECT DISTINCT workspace, room_id, doc_id, person FROM recorded
    WHERE type = 'doc_open' AND doc_id IS NOT NULL AND person IS NOT NULL
    ON CONFLICT DO NOTHING
    RETURNING room_id, person
  ), acts AS (
    -- Not a join: its plan would compare each person with each document when all rows of a workspace are added at once.
    SELECT room_id, person, id, actor_email, actor_name, type, occurred_at, 0 AS docs FROM recorded WHERE person IS NOT NULL
    UNION ALL
    SELECT room_id, person, NULL, NULL, NULL, NULL, NULL, 1 FROM first_opens
  )
  INSERT INTO room_people AS p
    (company_id, room_id, person, email, name, trailer_views, trailer_completes, room_visits, doc_opens, docs_opened,
     map_checkoffs, comments, messages, forwards, last_activity_at)
  SELECT workspace, room_id, person, min(lower(actor_email COLLATE "C")),
         (array_agg(actor_name ORDER BY id DESC) FILTER (WHERE actor_name IS NOT NULL))[1],
         count(*) FILTER (WHERE type = 'trailer_view'), count(*) FILTER (WHERE type = 'trailer_complete'),
         count(*) FILTER (WHERE type = 'room_visit'), count(*) FILTER (WHERE type = 'doc_open'), sum(docs),
         count(*) FILTER (WHERE type = 'map_checkoff'), count(*) FILTER (WHERE type = 'comment'),
         count(*) FILTER (WHERE type = 'message'), count(*) FILTER (WHERE type = 'forward'), max(occurred_at)
  FROM acts GROUP BY room_id, person
  ON CONFLICT (company_id, room_id, person) DO UPDATE SET
    name = coalesce(p.name, EXCLUDED.name),
    trailer_views = p.trailer_views + EXCLUDED.trailer_views,
    trailer_completes = p.trailer_completes + EXCLUDED.trailer_completes,
    room_visits = p.room_visits + EXCLUDED.room_visits,
    doc_opens = p.doc_opens + EXCLUDED.doc_opens,
    docs_opened = p.docs_opened + EXCLUDED.docs_opened,
    map_checkoffs = p.map_checkoffs + EXCLUDED.map_checkoffs,
    comments = p.comments + EXCLUDED.comments,
    messages = p.messages + EXCLUDED.messages,
    forwards = p.forwards + EXCLUDED.forwards,
    last_activity_at = greatest(p.last_activity_at, EXCLUDED.last_activity_at);
END $$;

-- Adds views.
CREATE OR REPLACE FUNCTION roll_up_views(workspace int, view_ids bigint[]) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  WITH viewed AS MATERIALIZED (
    SELECT id, kind, buyer_space_id AS room_id, distribution_id, demo_id, doc_id, actor_email, actor_name, ended_at,
           person_of(actor_email, distribution_id) AS person, watch_seconds, p.watch_ms, p.ranges
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
    INSERT INTO room_people AS p (company_id, room_id, person, email, name, watch_ms, last_activity_at)
    SELECT workspace, room_id, person, min(lower(actor_email COLLATE "C")),
           (array_agg(actor_name ORDER BY id DESC) FILTER (WHERE actor_name IS NOT NULL))[1], sum(watch_ms), max(ended_at)
    FROM viewed GROUP BY room_id, person
    ON CONFLICT (company_id, room_id, person) DO UPDATE SET
      name = coalesce(p.name, EXCLUDED.name),
      watch_ms = p.watch_ms + EXCLUDED.watch_ms,
      last_activity_at = greatest(p.last_activity_at, EXCLUDED.last_activity_at)
  ), readings AS (
    INSERT INTO room_readings AS r
      (company_id, room_id, doc_id, distribution_id, person, email, name, seconds, sessions, last_viewed_at)
    SELECT workspace, room_id, doc_id, distribution_id, person, (array_agg(actor_email ORDER BY id DESC))[1],
           (array_agg(actor_name ORDER BY id DESC) FILTER (WHERE actor_name IS NOT NULL))[1], sum(watch_seconds), count(*),
           max(ended_at)
    FROM viewed WHERE kind = 'document' GROUP BY room_id, doc_id, distribution_id, person
    ON CONFLICT (company_id, room_id, doc_id, distribution_id, person) DO UPDATE SET
      email = EXCLUDED.email, name = coalesce(EXCLUDED.name, r.name), seconds = r.seconds + EXCLUDED.seconds,
      sessions = r.sessions + EXCLUDED.sessions, last_viewed_at = greatest(r.last_viewed_at, EXCLUDED.last_viewed_at)
  ), watches AS (
    SELECT room_id, demo_id, distribution_id, person, count(*) AS views, sum(watch_ms) AS watch_ms,
           range_agg(ranges) AS played, max(ended_at) AS last_viewed_at
    FROM viewed WHERE kind = 'trailer' AND demo_id IS NOT NULL GROUP BY room_id, demo_id, distribution_id, person
  )
  INSERT INTO room_watches AS w
    (company_id, room_id, demo_id, distribution_id, person, views, watch_ms, played, distinct_ms, last_viewed_at)
  SELECT workspace, n.room_id, n.demo_id, n.distribution_id, n.person, n.views, n.watch_ms, n.played,
         t.ms, n.last_viewed_at
  FROM watches n
  LEFT JOIN calls c ON c.company_id = workspace AND c.id = n.demo_id
  CROSS JOIN LATERAL distinct_time(n.played, c.duration_seconds) AS t
  ON CONFLICT (company_id, room_id, demo_id, distribution_id, person) DO UPDATE SET
    views = w.views + EXCLUDED.views,
    watch_ms = w.watch_ms + EXCLUDED.watch_ms,
    played = w.played + EXCLUDED.played,
    distinct_ms = (
      SELECT t.ms
      FROM calls c CROSS JOIN LATERAL distinct_time(w.played + EXCLUDED.played, c.duration_seconds) AS t
      WHERE c.company_id = EXCLUDED.company_id AND c.id = EXCLUDED.demo_id
    ),
    last_viewed_at = greatest(w.last_viewed_at, EXCLUDED.last_viewed_at);
  PERFORM roll_up_heatmaps(workspace, view_ids);
END $$;

-- Adds messages.
CREATE OR REPLACE FUNCTION roll_up_messages(workspace int, keys text[]) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
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
-- @param renames whether the names of the links are newer than those that are known. Later links have newer names.
CREATE OR REPLACE FUNCTION roll_up_links(workspace int, link_ids uuid[], renames boolean) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  INSERT INTO room_people AS p (company_id, room_id, person, email, name, links)
  SELECT workspace, d.room_id, person_of(d.recipient_email, d.id), min(lower(d.recipient_email COLLATE "C")),
         (array_agg(d.recipient_name ORDER BY l.n DESC) FILTER (WHERE d.recipient_name IS NOT NULL))[1], count(*)
  FROM unnest(link_ids) WITH ORDINALITY AS l (id, n)
  JOIN distributions d ON d.company_id = workspace AND d.id = l.id
  GROUP BY d.room_id, person_of(d.recipient_email, d.id)
  ON CONFLICT (company_id, room_id, person) DO UPDATE SET
    name = CASE WHEN renames THEN coalesce(EXCLUDED.name, p.name) ELSE coalesce(p.name, EXCLUDED.name) END,
    links = p.links + EXCLUDED.links;

  INSERT INTO room_watches (company_id, room_id, demo_id, distribution_id, person, addressed)
  SELECT workspace, room_id, call_id, id, person_of(recipient_email, id), true
  FROM distributions WHERE company_id = workspace AND id = ANY (link_ids) AND call_id IS NOT NULL
  ON CONFLICT (company_id, room_id, demo_id, distribution_id, person) DO UPDATE SET addressed = true;
END $$;

-- Computes the roll-ups of rooms again from the rows that they sum up, and returns the number of rooms. Names are kept,
-- because only the order of capturing says which one is newest.
CREATE OR REPLACE FUNCTION rebuild_room_roll_ups(workspace int, rooms uuid[]) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
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
  PERFORM roll_up_events(workspace, array_agg(id))
  FROM engagement_events WHERE company_id = workspace AND buyer_space_id = ANY (rooms);
  PERFORM roll_up_views(workspace, array_agg(id))
  FROM engagement_views WHERE company_id = workspace AND buyer_space_id = ANY (rooms);
  PERFORM roll_up_messages(workspace, array_agg(key))
  FROM messages WHERE company_id = workspace AND room_id = ANY (rooms);
  RETURN cardinality(rooms);
END $$;

CREATE OR REPLACE FUNCTION roll_up_inserted_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM roll_up_events(company_id, array_agg(id)) FROM inserted GROUP BY company_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION roll_up_inserted_views() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM roll_up_views(company_id, array_agg(id)) FROM inserted GROUP BY company_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION roll_up_inserted_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM roll_up_messages(company_id, array_agg(key)) FROM inserted GROUP BY company_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION roll_up_inserted_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM roll_up_links(company_id, array_agg(id), true) FROM inserted GROUP BY company_id;
  RETURN NULL;
END $$;

-- A link that is addressed to somebody else, or shares another recording: what was done through it so far stays where it is.
CREATE OR REPLACE FUNCTION roll_up_updated_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH changed AS (
    SELECT b.company_id, b.room_id, b.call_id, b.id, person_of(b.recipient_email, b.id) AS person
    FROM old_links b
    JOIN new_links a ON a.company_id = b.company_id AND a.id = b.id
    WHERE (a.room_id, a.call_id, a.recipient_email, a.recipient_name)
      IS DISTINCT FROM (b.room_id, b.call_id, b.recipient_email, b.recipient_name)
  ), people AS (
    UPDATE room_people p SET links = p.links - c.links
    FROM (SELECT company_id, room_id, person, count(*) AS links FROM changed GROUP BY company_id, room_id, person) AS c
    WHERE p.company_id = c.company_id AND p.room_id = c.room_id AND p.person = c.person
  )
  UPDATE room_watches w SET addressed = false
  FROM changed c
  WHERE w.company_id = c.company_id AND w.room_id = c.room_id AND w.demo_id = c.call_id AND w.distribution_id = c.id
    AND w.person = c.person;
  PERFORM roll_up_links(a.company_id, array_agg(a.id), true)
  FROM new_links a
  JOIN old_links b ON b.company_id = a.company_id AND b.id = a.id
  WHERE (a.room_id, a.call_id, a.recipient_email, a.recipient_name)
    IS DISTINCT FROM (b.room_id, b.call_id, b.recipient_email, b.recipient_name)
  GROUP BY a.company_id;
  RETURN NULL;
END $$;

-- The buckets of a heat-map, and what counts as completion, follow the length of the recording. It is rarely corrected.
CREATE OR REPLACE FUNCTION roll_up_duration() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE room_watches SET distinct_ms = (SELECT ms FROM distinct_time(played, NEW.duration_seconds))
  WHERE company_id = NEW.company_id AND demo_id = NEW.id AND views > 0;
  DELETE FROM link_heatmaps h USING room_watches w
  WHERE w.company_id = NEW.company_id AND w.demo_id = NEW.id
    AND h.company_id = w.company_id AND h.distribution_id = w.distribution_id AND h.demo_id = w.demo_id;
  PERFORM roll_up_heatmaps(NEW.company_id, array_agg(id))
  FROM engagement_views WHERE company_id = NEW.company_id AND demo_id = NEW.id AND kind = 'trailer';
  RETURN NULL;
END $$;

-- Recorded activity never changes, so subtracting it is not worth having: whoever corrects rows by hand pays for the rooms.
-- The argument is the column of the room.
CREATE OR REPLACE FUNCTION rebuild_changed_rooms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM rebuild_room_roll_ups(company_id, array_agg(DISTINCT (to_jsonb(c) ->> TG_ARGV[0])::uuid))
  FROM changed c GROUP BY company_id;
  RETURN NULL;
END $$;

-- Building a text again corrects nothing, so it must not make the database compute whole rooms again: only rows that differ
-- in another column count.
CREATE OR REPLACE FUNCTION rebuild_corrected_rooms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM rebuild_room_roll_ups((d.row ->> 'company_id')::int, array_agg(DISTINCT (d.row ->> 'buyer_space_id')::uuid))
  FROM (
    (SELECT to_jsonb(b) - '{object_text,object_version}'::text[] FROM before b
     EXCEPT SELECT to_jsonb(a) - '{object_text,object_version}'::text[] FROM after a)
    UNION ALL
    (SELECT to_jsonb(a) - '{object_text,object_version}'::text[] FROM after a
     EXCEPT SELECT to_jsonb(b) - '{object_text,object_version}'::text[] FROM before b)
  ) AS d (row)
  GROUP BY d.row ->> 'company_id';
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER roll_up_inserted AFTER INSERT ON engagement_events
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION roll_up_inserted_events();
CREATE OR REPLACE TRIGGER roll_up_deleted AFTER DELETE ON engagement_events
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rebuild_changed_rooms('buyer_space_id');

CREATE OR REPLACE TRIGGER roll_up_updated AFTER UPDATE ON engagement_events
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION rebuild_corrected_rooms();

CREATE OR REPLACE TRIGGER roll_up_inserted AFTER INSERT ON engagement_views
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION roll_up_inserted_views();
CREATE OR REPLACE TRIGGER roll_up_deleted AFTER DELETE ON engagement_views
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rebuild_changed_rooms('buyer_space_id');

CREATE OR REPLACE TRIGGER roll_up_updated AFTER UPDATE ON engagement_views
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION rebuild_corrected_rooms();

CREATE OR REPLACE TRIGGER roll_up_inserted AFTER INSERT ON messages
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION roll_up_inserted_messages();
CREATE OR REPLACE TRIGGER roll_up_deleted AFTER DELETE ON messages
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rebuild_changed_rooms('room_id');
CREATE OR REPLACE TRIGGER roll_up_updated_from AFTER UPDATE ON messages
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rebuild_changed_rooms('room_id');
CREATE OR REPLACE TRIGGER roll_up_updated_to AFTER UPDATE ON messages
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rebuild_changed_rooms('room_id');

CREATE OR REPLACE TRIGGER roll_up_inserted AFTER INSERT ON distributions
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION roll_up_inserted_links();
CREATE OR REPLACE TRIGGER roll_up_deleted AFTER DELETE ON distributions
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rebuild_changed_rooms('room_id');
CREATE OR REPLACE TRIGGER roll_up_updated AFTER UPDATE ON distributions
  REFERENCING OLD TABLE AS old_links NEW TABLE AS new_links FOR EACH STATEMENT EXECUTE FUNCTION roll_up_updated_links();

CREATE OR REPLACE TRIGGER roll_up_duration AFTER UPDATE OF duration_seconds ON calls
  FOR EACH ROW WHEN (OLD.duration_seconds IS DISTINCT FROM NEW.duration_seconds) EXECUTE FUNCTION roll_up_duration();

-- The words by which the console finds rooms, calls and people.

-- The words of a text: in lower case and without accents, split at white space and punctuation. The first 12 words, and 40
-- characters of each, identify anything that people give a name to, and bound what a name can cost.
CREATE OR REPLACE FUNCTION search_words_of(named text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  words text[] := '{}';
  word text;
BEGIN
  FOREACH word IN ARRAY regexp_split_to_array(
    lower(regexp_replace(normalize(coalesce(left(named, 1000), ''), NFKD), U&'[\0300-\036F]', '', 'g')),
    '[[:space:][:punct:]]+')
  LOOP
    CONTINUE WHEN word = '' OR left(word, 40) = ANY (words);
    words := words || left(word, 40);
    EXIT WHEN cardinality(words) = 12;
  END LOOP;
  RETURN words;
END $$;

-- Bulk capture inserts many rows with one statement, so what was inserted is split in one statement, too.
CREATE OR REPLACE FUNCTION add_search_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'rooms' THEN
    INSERT INTO search_words (company_id, kind, word, object_id)
    SELECT n.company_id, 1, w.word, n.id FROM inserted n CROSS JOIN unnest(search_words_of(n.name)) AS w (word)
    ON CONFLICT DO NOTHING;
  ELSE
    INSERT INTO search_words (company_id, kind, word, object_id)
    SELECT n.company_id, 2, w.word, n.id
    FROM inserted n CROSS JOIN unnest(search_words_of(concat_ws(' ', n.title, n.prospect_name))) AS w (word)
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

-- A session keeps the plan, and the table may be empty when it makes it.
CREATE OR REPLACE FUNCTION replace_search_words(workspace int, what smallint, object uuid, before text, after text) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  DELETE FROM search_words
  WHERE company_id = workspace AND kind = what AND word = ANY (search_words_of(before)) AND object_id = object
    AND word <> ALL (search_words_of(after));
  INSERT INTO search_words (company_id, kind, word, object_id)
  SELECT workspace, what, word, object FROM unnest(search_words_of(after)) AS w (word)
  ON CONFLICT DO NOTHING;
END $$;

CREATE OR REPLACE FUNCTION rename_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM replace_search_words(OLD.company_id, 1::smallint, OLD.id, OLD.name, CASE TG_OP WHEN 'UPDATE' THEN NEW.name END);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION rename_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM replace_search_words(OLD.company_id, 2::smallint, OLD.id, concat_ws(' ', OLD.title, OLD.prospect_name),
    CASE TG_OP WHEN 'UPDATE' THEN concat_ws(' ', NEW.title, NEW.prospect_name) END);
  RETURN NULL;
END $$;

-- People are written one by one, when the transaction of their change commits.
CREATE OR REPLACE FUNCTION rename_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO search_words (company_id, kind, word, object_id)
    SELECT NEW.company_id, 3, word, NEW.id FROM unnest(search_words_of(concat_ws(' ', NEW.name, NEW.email))) AS w (word)
    ON CONFLICT DO NOTHING;
  ELSE
    PERFORM replace_search_words(OLD.company_id, 3::smallint, OLD.id, concat_ws(' ', OLD.name, OLD.email),
      CASE TG_OP WHEN 'UPDATE' THEN concat_ws(' ', NEW.name, NEW.email) END);
  END IF;
  RETURN NULL;
END $$;

-- What moves a row in its feed names none of these columns, so it does not even reach the condition.
CREATE OR REPLACE TRIGGER add_search_words AFTER INSERT ON rooms
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION add_search_words();
CREATE OR REPLACE TRIGGER rename_room AFTER UPDATE OF name ON rooms
  FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION rename_room();
CREATE OR REPLACE TRIGGER forget_search_words AFTER DELETE ON rooms FOR EACH ROW EXECUTE FUNCTION rename_room();

CREATE OR REPLACE TRIGGER add_search_words AFTER INSERT ON calls
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION add_search_words();
CREATE OR REPLACE TRIGGER rename_call AFTER UPDATE OF title, prospect_name ON calls
  FOR EACH ROW WHEN ((OLD.title, OLD.prospect_name) IS DISTINCT FROM (NEW.title, NEW.prospect_name))
  EXECUTE FUNCTION rename_call();
CREATE OR REPLACE TRIGGER forget_search_words AFTER DELETE ON calls FOR EACH ROW EXECUTE FUNCTION rename_call();

CREATE OR REPLACE TRIGGER add_search_words AFTER INSERT ON people FOR EACH ROW EXECUTE FUNCTION rename_person();
CREATE OR REPLACE TRIGGER rename_person AFTER UPDATE OF name, email ON people
  FOR EACH ROW WHEN ((OLD.name, OLD.email) IS DISTINCT FROM (NEW.name, NEW.email))
  EXECUTE FUNCTION rename_person();
CREATE OR REPLACE TRIGGER forget_search_words AFTER DELETE ON people FOR EACH ROW EXECUTE FUNCTION rename_person();

-- Applies, from prisma/sql: delivery-subjects.sql, endpoint-pace.sql, engagement.sql, erasures.sql, feed-clock.sql, heat-maps.sql,
-- outbox.sql, people.sql, roll-ups.sql, search-words.sql

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

-- How engagement is captured: what its records refer to, and what they write.

-- What engagement shows of rooms, with their owners.
CREATE OR REPLACE FUNCTION engaged_rooms(workspace int, room_ids uuid[]) RETURNS SETOF json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', r.id, 'name', r.name, 'ownerId', r.owner_id, 'ownerName', u.name, 'ownerEmail', u.email)
  FROM unnest(room_ids) AS n (id)
  CROSS JOIN LATERAL (
    SELECT r.id, r.name, r.owner_id FROM rooms r
    WHERE r.company_id = workspace AND r.id BETWEEN n.id AND n.id ORDER BY r.id LIMIT 1) AS r
  LEFT JOIN LATERAL (
    SELECT u.name, u.email FROM users u
    WHERE u.company_id = workspace AND u.id BETWEEN r.owner_id AND r.owner_id ORDER BY u.id LIMIT 1) AS u ON true
$$;

-- What records of engagement refer to, and which of them are recorded already (as `event KEY`, `message KEY` or `view KEY`). Each kind is
-- only asked for where there is one: preparing seven look-ups took 0.2 ms, and the two of an event take 0.1. Each row is looked up by
-- itself, in the order of its key, as roll-ups.sql does and says why.
CREATE OR REPLACE FUNCTION engagement_context(
  workspace int, rooms uuid[], links uuid[], documents uuid[], event_keys text[], message_keys text[], view_keys text[],
  OUT known_rooms json, OUT known_links json, OUT known_documents json, OUT recorded text[]
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF cardinality(rooms) > 0 THEN
    known_rooms := (SELECT json_agg(r.room) FROM engaged_rooms(workspace, rooms) AS r (room));
  END IF;
  IF cardinality(links) > 0 THEN
    known_links := (SELECT json_agg(link) FROM (
      SELECT d.id, r.room, d.recipient_name AS "recipientName", d.recipient_email AS "recipientEmail",
             person_id_of(workspace, d.room_id, active_identity(d.recipient_email, person_of(d.recipient_email, d.id))) AS "personId",
             d.forwarded_from_distribution_id AS "forwardedFromDistributionId",
             CASE WHEN c.id IS NOT NULL THEN
               json_build_object('id', c.id, 'title', c.title, 'durationSeconds', c.duration_seconds) END AS call
      FROM links_of(workspace, links) AS d
      CROSS JOIN LATERAL engaged_rooms(workspace, ARRAY[d.room_id]) AS r (room)
      LEFT JOIN LATERAL calls_of(workspace, ARRAY[d.call_id]) AS c ON true
    ) AS link);
  END IF;
  IF cardinality(documents) > 0 THEN
    known_documents := (
      SELECT json_agg(json_build_object('id', f.id, 'roomId', f.room_id)) FROM unnest(documents) AS a (id)
      CROSS JOIN LATERAL (
        SELECT f.id, f.room_id FROM documents f
        WHERE f.company_id = workspace AND f.id BETWEEN a.id AND a.id ORDER BY f.id LIMIT 1) AS f);
  END IF;
  IF cardinality(event_keys) > 0 THEN
    recorded := ARRAY(
      SELECT 'event ' || a.key FROM unnest(event_keys) AS a (key)
      CROSS JOIN LATERAL (
        SELECT FROM engagement_events e
        WHERE e.company_id = workspace AND e.source = 'event' AND e.key BETWEEN a.key AND a.key ORDER BY e.key LIMIT 1) AS e);
  END IF;
  IF cardinality(message_keys) > 0 THEN
    recorded := recorded || ARRAY(
      SELECT 'message ' || m.key FROM messages_of(workspace, message_keys) AS m);
  END IF;
  IF cardinality(view_keys) > 0 THEN
    recorded := recorded || ARRAY(
      SELECT 'view ' || a.key FROM unnest(view_keys) AS a (key)
      CROSS JOIN LATERAL (
        SELECT FROM engagement_views v
        WHERE v.company_id = workspace AND v.key BETWEEN a.key AND a.key ORDER BY v.key LIMIT 1) AS v);
  END IF;
END $$;

-- Begins a capture in one round trip: takes the feed clock, then reads who gets events and what the first records of engagement
-- refer to. These are two statements, because only a statement that begins when the clock is held sees everything that earlier
-- holders have committed. No row if there is no such workspace.
CREATE OR REPLACE FUNCTION begin_capture(
  workspace int, rooms uuid[], links uuid[], documents uuid[], event_keys text[], message_keys text[], view_keys text[]
) RETURNS TABLE (
  at timestamptz, subscribers json, known_rooms json, known_links json, known_documents json, recorded text[]
) LANGUAGE plpgsql AS $$
DECLARE
  reading timestamptz := take_feed_clock(workspace);
BEGIN
  IF reading IS NULL THEN RETURN; END IF;
  -- All statements of a capture find their rows by whole keys, whatever the keys are, so each keeps one plan until the transaction ends.
  -- To plan them again took about 0.3 of the 2.4 ms of an event.
  PERFORM set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true);
  RETURN QUERY
    SELECT reading, (SELECT json_agg(s) FROM subscribers_of(workspace) AS s), c.*
    FROM engagement_context(workspace, rooms, links, documents, event_keys, message_keys, view_keys) AS c;
END $$;

-- Writes messages, events and views of a workspace that are not recorded yet, and adds them to the roll-ups. The caller holds the feed
-- clock, so nobody else records one of them meanwhile. Returns whose appearance among the people of a room may have changed.
CREATE OR REPLACE FUNCTION record_engagement(workspace int, new_messages json, new_events json, new_views json)
RETURNS TABLE (rooms uuid[], identities text[]) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  IF json_array_length(new_messages) > 0 THEN
    INSERT INTO messages (company_id, key, room_id, side, sent_at, distribution_id, text)
    SELECT workspace, n.* FROM json_to_recordset(new_messages) AS n
      (key text, "roomId" uuid, side side, "sentAt" timestamptz, "distributionId" uuid, text text);
    PERFORM roll_up_messages(workspace, ARRAY(SELECT m ->> 'key' FROM json_array_elements(new_messages) AS m));
  END IF;
  IF json_array_length(new_events) > 0 THEN
    INSERT INTO engagement_events
      (company_id, id, source, key, type, occurred_at, actor_name, actor_email, person_id, metadata, demo_id, demo_title,
       distribution_id, forwarded_from_distribution_id, buyer_space_id, buyer_space_name, owner_id, owner_name, owner_email,
       doc_id, object_text)
    SELECT workspace, n.* FROM json_to_recordset(new_events) AS n
      (id bigint, source event_source, key text, type text, "occurredAt" timestamptz, "actorName" text, "actorEmail" text,
       "personId" uuid, metadata json, "demoId" uuid, "demoTitle" text, "distributionId" uuid,
       "forwardedFromDistributionId" uuid, "buyerSpaceId" uuid, "buyerSpaceName" text, "ownerId" int, "ownerName" text,
       "ownerEmail" text, "docId" uuid, text text);
    PERFORM roll_up_events(workspace, ARRAY(SELECT (e ->> 'id')::bigint FROM json_array_elements(new_events) AS e));
  END IF;
  IF json_array_length(new_views) > 0 THEN
    INSERT INTO engagement_views
      (company_id, id, key, kind, started_at, ended_at, actor_name, actor_email, person_id, distribution_id,
       forwarded_from_distribution_id, buyer_space_id, buyer_space_name, owner_id, owner_name, owner_email, demo_id, demo_title,
       doc_id, watch_seconds, unique_seconds, duration_seconds, completion_percent, segments, object_text)
    SELECT workspace, n.* FROM json_to_recordset(new_views) AS n
      (id bigint, key text, kind view_kind, "startedAt" timestamptz, "endedAt" timestamptz, "actorName" text,
       "actorEmail" text, "personId" uuid, "distributionId" uuid, "forwardedFromDistributionId" uuid, "buyerSpaceId" uuid,
       "buyerSpaceName" text, "ownerId" int, "ownerName" text, "ownerEmail" text, "demoId" uuid, "demoTitle" text,
       "docId" uuid, "watchSeconds" int, "uniqueSeconds" int, "durationSeconds" int, "completionPercent" int, segments jsonb,
       text text);
    PERFORM roll_up_views(workspace, ARRAY(SELECT (v ->> 'id')::bigint FROM json_array_elements(new_views) AS v));
  END IF;
  RETURN QUERY
    SELECT array_agg(a.room), array_agg(active_identity(a.email, person_of(a.email, a.link)))
    FROM (
      SELECT DISTINCT n."buyerSpaceId", n."actorEmail", n."distributionId"
      FROM json_to_recordset(new_events) AS n ("buyerSpaceId" uuid, "actorEmail" text, "distributionId" uuid)
      UNION
      SELECT n."buyerSpaceId", n."actorEmail", n."distributionId"
      FROM json_to_recordset(new_views) AS n ("buyerSpaceId" uuid, "actorEmail" text, "distributionId" uuid)
    ) AS a (room, email, link)
    WHERE a.email IS NOT NULL OR a.link IS NOT NULL;
END $$;

-- Writes share links and adds them to the roll-ups. A link that is addressed to somebody else, or shares another recording, is
-- taken from those it was addressed to; what was done through it so far stays where it is. Of several names for an address, the
-- last one counts. Returns whose appearance among the people of a room may have changed.
CREATE OR REPLACE FUNCTION record_links(workspace int, now_at timestamptz, new_links json)
RETURNS TABLE (room_id uuid, identity text) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  addressed uuid[];
BEGIN
  -- Those whose roll-ups change, in the order of the records.
  addressed := ARRAY(
    SELECT n.id
    FROM ROWS FROM (json_to_recordset(new_links) AS
      (id uuid, "roomId" uuid, "callId" uuid, "recipientName" text, "recipientEmail" text)) WITH ORDINALITY AS n
      (id, room_id, call_id, recipient_name, recipient_email, place)
    LEFT JOIN distributions d ON d.company_id = workspace AND d.id = n.id
    WHERE d.id IS NULL OR (d.room_id, d.call_id, d.recipient_name, d.recipient_email)
      IS DISTINCT FROM (n.room_id, n.call_id, n.recipient_name, n.recipient_email)
    ORDER BY n.place);
  RETURN QUERY
    SELECT d.room_id, active_identity(d.recipient_email, person_of(d.recipient_email, d.id))
    FROM links_of(workspace, addressed) AS d;
  PERFORM take_back_links(workspace, addressed);
  INSERT INTO distributions AS d
    (company_id, id, room_id, call_id, recipient_name, recipient_email, forwarded_from_distribution_id, updated_at)
  SELECT workspace, n.*, now_at FROM json_to_recordset(new_links) AS n
    (id uuid, "roomId" uuid, "callId" uuid, "recipientName" text, "recipientEmail" text, "forwardedFromDistributionId" uuid)
  ON CONFLICT (company_id, id) DO UPDATE SET
    call_id = EXCLUDED.call_id, recipient_name = EXCLUDED.recipient_name, recipient_email = EXCLUDED.recipient_email,
    forwarded_from_distribution_id = EXCLUDED.forwarded_from_distribution_id;
  PERFORM roll_up_links(workspace, addressed, true);
  RETURN QUERY
    SELECT d.room_id, active_identity(d.recipient_email, person_of(d.recipient_email, d.id))
    FROM links_of(workspace, addressed) AS d;
END $$;

-- Erasure: what stands in the place of somebody who was erased.
--
-- Numbers stay, so whoever was erased stays one person of their room. In the place of their address is a pseudonym: an address that nobody
-- can have, which is never shown. So everything that is counted by address goes on without knowing about erasure.

-- The pseudonym of an address (in the domain that RFC 2606 keeps free). Another erasure gives the same address another one, and a
-- pseudonym stays what it is.
CREATE OR REPLACE FUNCTION erased_email(erasure uuid, email text) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN CASE WHEN email LIKE '%@erased.invalid' THEN email ELSE
    encode(substr(sha256(convert_to(erasure::text || ' ' || lower(email COLLATE "C"), 'UTF8')), 1, 16), 'hex') || '@erased.invalid' END;

-- An address as it is shown: null for a pseudonym. The serialisers have the same rule, in packages/serializers/src/shown-email.ts.
CREATE OR REPLACE FUNCTION shown_email(email text) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN CASE WHEN email NOT LIKE '%@erased.invalid' THEN email END;

-- The identity of somebody in `people` once they are erased. A share link names nobody, so it stays.
CREATE OR REPLACE FUNCTION erased_identity(erasure uuid, identity text) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN CASE WHEN identity LIKE 'link:%' THEN identity
    ELSE split_part(identity, ':', 1) || ':' || erased_email(erasure, substr(identity, strpos(identity, ':') + 1)) END;

-- Erases people of rooms in everything that has a row for each person, and moves those rows to the ends of their feeds. What they did
-- keeps its counts. The caller holds the feed clock.
-- @return their ids and the share links that are addressed to them, what they were in the roll-ups, and the names that are known of them.
CREATE OR REPLACE FUNCTION erase_people(
  workspace int, erasure uuid, now_at timestamptz, rooms uuid[], identities text[],
  OUT person_ids uuid[], OUT link_ids uuid[], OUT persons text[], OUT names text[]
) LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  erased text[] := ARRAY(
    SELECT erased_identity(erasure, n.identity) FROM unnest(identities) WITH ORDINALITY AS n (identity, place) ORDER BY n.place);
BEGIN
  persons := ARRAY(SELECT DISTINCT active_person(identity) FROM unnest(identities) AS n (identity) WHERE active_person(identity) IS NOT NULL);
  link_ids := ARRAY(
    SELECT d.id FROM unnest(rooms, identities) AS w (room, identity)
    JOIN distributions d ON d.company_id = workspace AND d.room_id = w.room
      AND active_identity(d.recipient_email, person_of(d.recipient_email, d.id)) = w.identity
    ORDER BY d.id);
  names := ARRAY(
    SELECT p.name FROM unnest(rooms, identities) AS w (room, identity)
    JOIN people p ON p.company_id = workspace AND p.room_id = w.room AND p.identity = w.identity WHERE p.name IS NOT NULL
    UNION
    SELECT m.name FROM unnest(rooms, identities) AS w (room, identity)
    JOIN room_members m ON m.company_id = workspace AND m.room_id = w.room AND m.identity = w.identity WHERE m.name IS NOT NULL
    UNION
    SELECT a.name FROM unnest(rooms, identities) AS w (room, identity)
    JOIN room_people a ON a.company_id = workspace AND a.room_id = w.room AND a.person = active_person(w.identity)
    WHERE a.name IS NOT NULL
    UNION
    SELECT r.name FROM unnest(rooms, identities) AS w (room, identity)
    JOIN room_readings r ON r.company_id = workspace AND r.room_id = w.room AND r.person = active_person(w.identity)
    WHERE r.name IS NOT NULL
    UNION
    SELECT d.recipient_name FROM distributions d
    WHERE d.company_id = workspace AND d.id = ANY (link_ids) AND d.recipient_name IS NOT NULL);

  PERFORM replace_search_words(workspace, 3::smallint, array_agg(p.id), array_agg(concat_ws(' ', p.name, p.email)),
    array_agg(''::text))
  FROM unnest(rooms, identities) AS w (room, identity)
  JOIN people p ON p.company_id = workspace AND p.room_id = w.room AND p.identity = w.identity;
  WITH written AS (
    UPDATE people p SET identity = w.erased, email = NULL, name = NULL, role = NULL, title = NULL, updated_at = now_at
    FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
    WHERE p.company_id = workspace AND p.room_id = w.room AND p.identity = w.identity
    RETURNING p.id
  )
  SELECT coalesce(array_agg(id ORDER BY id), '{}') INTO person_ids FROM written;
  UPDATE room_members m SET identity = w.erased, email = erased_email(erasure, m.email), name = NULL, role = NULL, title = NULL
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  WHERE m.company_id = workspace AND m.room_id = w.room AND m.identity = w.identity;
  UPDATE distributions d SET recipient_name = NULL, recipient_email = erased_email(erasure, d.recipient_email), updated_at = now_at
  WHERE d.company_id = workspace AND d.id = ANY (link_ids);

  UPDATE room_people a SET person = active_person(w.erased), email = erased_email(erasure, a.email), name = NULL
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  WHERE a.company_id = workspace AND a.room_id = w.room AND a.person = active_person(w.identity);
  UPDATE room_watches a SET person = active_person(w.erased)
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  WHERE a.company_id = workspace AND a.room_id = w.room AND a.person = active_person(w.identity);
  UPDATE room_readings a SET person = active_person(w.erased), email = NULL, name = NULL
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  WHERE a.company_id = workspace AND a.room_id = w.room AND a.person = active_person(w.identity);
  UPDATE room_document_openers a SET person = active_person(w.erased)
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  WHERE a.company_id = workspace AND a.room_id = w.room AND a.person = active_person(w.identity);
END $$;

-- The feed clock: one row for each workspace, which every writer to its feeds locks first and holds until the commit.

-- Locks the clock of a workspace and returns its next reading: the time of the server, or a millisecond after the last reading if
-- that is later. Null if there is no such workspace. Not now(), which is the start of the transaction, before the wait for the lock.
CREATE OR REPLACE FUNCTION take_feed_clock(workspace int) RETURNS timestamptz LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  reading timestamptz;
BEGIN
  UPDATE feed_clocks SET at = greatest(date_trunc('milliseconds', clock_timestamp()), at + interval '1 millisecond')
  WHERE company_id = workspace
  RETURNING at INTO reading;
  RETURN reading;
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
    FROM views_of(workspace, view_ids) AS v
    CROSS JOIN LATERAL calls_of(workspace, ARRAY[v.demo_id]) AS c
    CROSS JOIN LATERAL segments_ms(v.segments) AS s
    WHERE v.kind = 'trailer' AND c.duration_seconds > 0
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

-- Who gets the events of the outbox.

-- The endpoints of a workspace that get events, in the order of their ids: none while its API is switched off.
CREATE OR REPLACE FUNCTION subscribers_of(workspace int) RETURNS TABLE (id int, events text[]) LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT e.id, e.events FROM webhook_endpoints e
  WHERE e.company_id = subscribers_of.workspace AND e.enabled
    AND EXISTS (SELECT FROM companies c WHERE c.id = e.company_id AND c.api_enabled)
  ORDER BY e.id;
END;

-- The people of a room: those of its People section, those that share links are addressed to, and those who were active.

-- The identity of somebody in `room_people`: the address, or the share link of a recipient without one. Members of a room with
-- an address have the same identity.
CREATE OR REPLACE FUNCTION active_identity(email text, person text) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN CASE WHEN email IS NULL THEN 'link:' ELSE 'email:' END || person;

-- The key in `room_people` of somebody with an identity in `people`. A member without an address is nobody there.
CREATE OR REPLACE FUNCTION active_person(identity text) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN substring(identity FROM '^(?:email|link):(.*)$') COLLATE "C";

-- The id of a person follows from the room and the identity: after a restore that lost commits, the same person gets the same
-- id, so the copies of consumers have nobody twice. The form is that of a UUID of version 8.
CREATE OR REPLACE FUNCTION person_id(room uuid, identity text) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(set_byte(set_byte(hash, 6, get_byte(hash, 6) & 15 | 128), 8, get_byte(hash, 8) & 63 | 128), 'hex')::uuid
  FROM (SELECT substr(sha256(convert_to(room::text || ' ' || identity, 'UTF8')), 1, 16) AS hash) AS hashed
$$;

-- The id of a person in `people`. Somebody who was erased keeps the id that followed from the address, so whoever is captured with that
-- address again is somebody else and gets the next one.
CREATE OR REPLACE FUNCTION person_id_of(workspace int, room uuid, who text) RETURNS uuid LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  found_id uuid;
  others int := 0;
BEGIN
  SELECT id INTO found_id FROM people p
  WHERE p.company_id = workspace AND p.room_id = room AND p.identity BETWEEN who AND who ORDER BY p.identity LIMIT 1;
  IF FOUND THEN RETURN found_id; END IF;
  LOOP
    found_id := person_id(room, CASE WHEN others = 0 THEN who ELSE who || ' ' || others END);
    EXIT WHEN NOT EXISTS (
      SELECT FROM people p WHERE p.company_id = workspace AND p.id BETWEEN found_id AND found_id ORDER BY p.id LIMIT 1);
    others := others + 1;
  END LOOP;
  RETURN found_id;
END $$;

-- Writes what is shown of people, where that has changed. A capture calls it last, so a person who ends as the transaction found them
-- does not move in the feed.
-- @param now_at the reading of the feed clock, which is the position of those who changed.
CREATE OR REPLACE FUNCTION refresh_people(workspace int, now_at timestamptz, rooms uuid[], who text[]) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  renamed uuid[];
  named_before text[];
  named text[];
BEGIN
  WITH asked AS (
    SELECT DISTINCT room_id, identity, active_person(identity) AS person
    FROM unnest(rooms, who) AS a (room_id, identity)
  ), shown AS (
    SELECT asked.room_id, asked.identity, shown_email(CASE WHEN m.email IS NULL THEN a.email ELSE substr(m.identity, 7) END) AS email,
           coalesce(m.name, a.name) AS name, m.role, m.title, m.identity IS NOT NULL AS in_committee,
           m.identity IS NOT NULL OR a.person IS NOT NULL AS is_there
    FROM asked
    -- Each is looked up by itself, in the order of its key, as roll-ups.sql does and says why.
    LEFT JOIN LATERAL (
      SELECT * FROM room_members m
      WHERE m.company_id = workspace AND m.room_id = asked.room_id AND m.identity BETWEEN asked.identity AND asked.identity
      ORDER BY m.identity LIMIT 1
    ) AS m ON true
    LEFT JOIN LATERAL (
      SELECT * FROM room_people a
      WHERE a.company_id = workspace AND a.room_id = asked.room_id AND a.person BETWEEN asked.person AND asked.person
        AND (a.links > 0 OR a.last_activity_at IS NOT NULL)
      ORDER BY a.person LIMIT 1
    ) AS a ON true
  ), changed AS (
    -- What is known of a person who is no longer there stays.
    SELECT person_id_of(workspace, s.room_id, s.identity) AS id, s.room_id, s.identity, s.in_committee,
           CASE WHEN s.is_there THEN s.email ELSE p.email END AS email,
           CASE WHEN s.is_there THEN s.name ELSE p.name END AS name,
           CASE WHEN s.is_there THEN s.role ELSE p.role END AS role,
           CASE WHEN s.is_there THEN s.title ELSE p.title END AS title,
           CASE WHEN NOT s.is_there THEN now_at END AS removed_at,
           concat_ws(' ', p.name, p.email) AS before
    FROM shown s
    LEFT JOIN LATERAL (
      SELECT * FROM people p
      WHERE p.company_id = workspace AND p.room_id = s.room_id AND p.identity BETWEEN s.identity AND s.identity
      ORDER BY p.identity LIMIT 1
    ) AS p ON true
    WHERE CASE WHEN s.is_there THEN
        (p.email, p.name, p.role, p.title, p.in_committee, p.id IS NOT NULL AND p.removed_at IS NULL)
          IS DISTINCT FROM (s.email, s.name, s.role, s.title, s.in_committee, true)
      ELSE p.removed_at IS NULL AND p.id IS NOT NULL END
  ), written AS (
    INSERT INTO people AS p (company_id, id, room_id, identity, email, name, role, title, in_committee, removed_at, updated_at)
    SELECT workspace, id, room_id, identity, email, name, role, title, in_committee, removed_at, now_at FROM changed
    ON CONFLICT (company_id, room_id, identity) DO UPDATE SET
      email = EXCLUDED.email, name = EXCLUDED.name, role = EXCLUDED.role, title = EXCLUDED.title,
      in_committee = EXCLUDED.in_committee, removed_at = EXCLUDED.removed_at, updated_at = EXCLUDED.updated_at
  )
  SELECT array_agg(id), array_agg(before), array_agg(after) INTO renamed, named_before, named
  FROM (SELECT id, before, concat_ws(' ', name, email) AS after FROM changed) AS c WHERE before <> after;
  IF renamed IS NOT NULL THEN PERFORM replace_search_words(workspace, 3::smallint, renamed, named_before, named); END IF;
END $$;

-- The roll-ups: what the room metrics show of events, views, messages and share links, added up by the capture that writes them. The
-- functions called roll_up_... add rows that were just written. Nothing is subtracted, because activity that was recorded never changes:
-- an erasure renames who did it, here as well. After a correction by hand, whole rooms are computed again.

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

-- Rows by their keys. Plans are kept, and the planner takes any index that begins with the workspace for as good as the key as long as
-- it takes the workspace for a small one: such a plan would read all its rows later, until the next ANALYZE. So each row is looked
-- up by itself, as the first of a range in the order of the key, which no other index has.
CREATE OR REPLACE FUNCTION events_of(workspace int, event_ids bigint[]) RETURNS SETOF engagement_events LANGUAGE sql STABLE AS $$
  SELECT e.* FROM unnest(event_ids) AS n (id)
  CROSS JOIN LATERAL (SELECT * FROM engagement_events e WHERE e.company_id = workspace AND e.id BETWEEN n.id AND n.id ORDER BY e.id LIMIT 1) AS e
$$;

CREATE OR REPLACE FUNCTION views_of(workspace int, view_ids bigint[]) RETURNS SETOF engagement_views LANGUAGE sql STABLE AS $$
  SELECT v.* FROM unnest(view_ids) AS n (id)
  CROSS JOIN LATERAL (SELECT * FROM engagement_views v WHERE v.company_id = workspace AND v.id BETWEEN n.id AND n.id ORDER BY v.id LIMIT 1) AS v
$$;

CREATE OR REPLACE FUNCTION messages_of(workspace int, keys text[]) RETURNS SETOF messages LANGUAGE sql STABLE AS $$
  SELECT m.* FROM unnest(keys) AS n (key)
  CROSS JOIN LATERAL (SELECT * FROM messages m WHERE m.company_id = workspace AND m.key BETWEEN n.key AND n.key ORDER BY m.key LIMIT 1) AS m
$$;

CREATE OR REPLACE FUNCTION calls_of(workspace int, call_ids uuid[]) RETURNS SETOF calls LANGUAGE sql STABLE AS $$
  SELECT c.* FROM unnest(call_ids) AS n (id)
  CROSS JOIN LATERAL (SELECT * FROM calls c WHERE c.company_id = workspace AND c.id BETWEEN n.id AND n.id ORDER BY c.id LIMIT 1) AS c
$$;

-- In the order of the ids.
CREATE OR REPLACE FUNCTION links_of(workspace int, link_ids uuid[]) RETURNS SETOF distributions LANGUAGE sql STABLE AS $$
  SELECT d.* FROM unnest(link_ids) WITH ORDINALITY AS n (id, place)
  CROSS JOIN LATERAL (SELECT * FROM distributions d WHERE d.company_id = workspace AND d.id BETWEEN n.id AND n.id ORDER BY d.id LIMIT 1) AS d
  ORDER BY n.place
$$;

-- The functions that add rows to the roll-ups follow. They use one plan for any number of rows, because planning for the rows
-- at hand takes as long as adding them. A session keeps that plan while the tables grow, so it must find everything through an
-- index: a plan made for an empty table would otherwise read it as a whole for each row.

-- Adds engagement events. A message of the conversation is one of them if it came from the prospect.
CREATE OR REPLACE FUNCTION roll_up_events(workspace int, event_ids bigint[]) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  INSERT INTO room_totals AS t (company_id, room_id, events, trailer_views, last_activity_at)
  SELECT workspace, buyer_space_id, count(*), count(*) FILTER (WHERE type = 'trailer_view'), max(occurred_at)
  FROM events_of(workspace, event_ids) GROUP BY buyer_space_id
  ON CONFLICT (company_id, room_id) DO UPDATE SET
    events = t.events + EXCLUDED.events, trailer_views = t.trailer_views + EXCLUDED.trailer_views,
    last_activity_at = greatest(t.last_activity_at, EXCLUDED.last_activity_at);

  INSERT INTO room_people AS p
    (company_id, room_id, person, email, name, trailer_views, trailer_completes, room_visits, doc_opens, map_checkoffs,
     comments, messages, forwards, last_activity_at)
  SELECT workspace, room_id, person, min(lower(actor_email COLLATE "C")),
         (array_agg(actor_name ORDER BY id DESC) FILTER (WHERE actor_name IS NOT NULL))[1],
         count(*) FILTER (WHERE type = 'trailer_view'), count(*) FILTER (WHERE type = 'trailer_complete'),
         count(*) FILTER (WHERE type = 'room_visit'), count(*) FILTER (WHERE type = 'doc_open'),
         count(*) FILTER (WHERE type = 'map_checkoff'), count(*) FILTER (WHERE type = 'comment'),
         count(*) FILTER (WHERE type = 'message'), count(*) FILTER (WHERE type = 'forward'), max(occurred_at)
  FROM (
    SELECT id, buyer_space_id AS room_id, person_of(actor_email, distribution_id) AS person, actor_email, actor_name, type,
           occurred_at
    FROM events_of(workspace, event_ids)
  ) AS e
  WHERE person IS NOT NULL GROUP BY room_id, person
  ON CONFLICT (company_id, room_id, person) DO UPDATE SET
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

  -- Most events open no document, and even an INSERT of no rows has to be prepared.
  IF NOT EXISTS (SELECT FROM events_of(workspace, event_ids) WHERE type = 'doc_open' AND doc_id IS NOT NULL) THEN
    RETURN;
  END IF;
  WITH opened AS MATERIALIZED (
    SELECT buyer_space_id AS room_id, doc_id, person_of(actor_email, distribution_id) AS person
    FROM events_of(workspace, event_ids) WHERE type = 'doc_open' AND doc_id IS NOT NULL
  ), opens AS (
    INSERT INTO room_document_opens AS o (company_id, room_id, doc_id, opens)
    SELECT workspace, room_id, doc_id, count(*) FROM opened GROUP BY room_id, doc_id
    ON CONFLICT (company_id, room_id, doc_id) DO UPDATE SET opens = o.opens + EXCLUDED.opens
  ), first_opens AS (
    INSERT INTO room_document_openers (company_id, room_id, doc_id, person)
    SELECT DISTINCT workspace, room_id, doc_id, person FROM opened WHERE person IS NOT NULL
    ON CONFLICT DO NOTHING
    RETURNING room_id, person
  )
  -- An upsert and not a join: the plan of a join would compare each person with each document when all rows of a workspace are added
  -- at once. They are all there.
  INSERT INTO room_people AS p (company_id, room_id, person, docs_opened)
  SELECT workspace, room_id, person, count(*) FROM first_opens GROUP BY room_id, person
  ON CONFLICT (company_id, room_id, person) DO UPDATE SET docs_opened = p.docs_opened + EXCLUDED.docs_opened;
END $$;

-- Adds views.
CREATE OR REPLACE FUNCTION roll_up_views(workspace int, view_ids bigint[]) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  WITH viewed AS MATERIALIZED (
    SELECT id, kind, buyer_space_id AS room_id, distribution_id, demo_id, doc_id, actor_email, actor_name, ended_at,
           person_of(actor_email, distribution_id) AS person, watch_seconds, p.watch_ms, p.ranges
    FROM views_of(workspace, view_ids)
    CROSS JOIN LATERAL played(CASE WHEN kind = 'trailer' THEN segments ELSE '[]' END) AS p
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
    SELECT workspace, room_id, doc_id, distribution_id, person, shown_email((array_agg(actor_email ORDER BY id DESC))[1]),
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
  LEFT JOIN LATERAL calls_of(workspace, ARRAY[n.demo_id]) AS c ON true
  CROSS JOIN LATERAL distinct_time(n.played, c.duration_seconds) AS t
  ON CONFLICT (company_id, room_id, demo_id, distribution_id, person) DO UPDATE SET
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
CREATE OR REPLACE FUNCTION roll_up_messages(workspace int, keys text[]) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  INSERT INTO room_totals AS t (company_id, room_id, prospect_messages, seller_messages, last_message_at)
  SELECT workspace, room_id, count(*) FILTER (WHERE side = 'prospect'), count(*) FILTER (WHERE side = 'seller'), max(sent_at)
  FROM messages_of(workspace, keys) GROUP BY room_id
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
         (array_agg(d.recipient_name ORDER BY d.n DESC) FILTER (WHERE d.recipient_name IS NOT NULL))[1], count(*)
  FROM (SELECT *, row_number() OVER () AS n FROM links_of(workspace, link_ids)) AS d
  GROUP BY d.room_id, person_of(d.recipient_email, d.id)
  ON CONFLICT (company_id, room_id, person) DO UPDATE SET
    name = CASE WHEN renames THEN coalesce(EXCLUDED.name, p.name) ELSE coalesce(p.name, EXCLUDED.name) END,
    links = p.links + EXCLUDED.links;

  INSERT INTO room_watches (company_id, room_id, demo_id, distribution_id, person, addressed)
  SELECT workspace, room_id, call_id, id, person_of(recipient_email, id), true
  FROM links_of(workspace, link_ids) WHERE call_id IS NOT NULL
  ON CONFLICT (company_id, room_id, demo_id, distribution_id, person) DO UPDATE SET addressed = true;
END $$;

-- Takes links from those they are addressed to, before they are addressed to others: what was done through a link stays where it is.
CREATE OR REPLACE FUNCTION take_back_links(workspace int, link_ids uuid[]) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  WITH addressed AS (
    SELECT room_id, call_id, id, person_of(recipient_email, id) AS person
    FROM links_of(workspace, link_ids)
  ), people AS (
    UPDATE room_people p SET links = p.links - a.links
    FROM (SELECT room_id, person, count(*) AS links FROM addressed GROUP BY room_id, person) AS a
    WHERE p.company_id = workspace AND p.room_id = a.room_id AND p.person = a.person
  )
  UPDATE room_watches w SET addressed = false
  FROM addressed a
  WHERE w.company_id = workspace AND w.room_id = a.room_id AND w.demo_id = a.call_id AND w.distribution_id = a.id
    AND w.person = a.person;
END $$;

-- Follows corrected lengths of recordings: the buckets of a heat-map, and what counts as completion, depend on them.
CREATE OR REPLACE FUNCTION roll_up_durations(workspace int, call_ids uuid[]) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
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

-- Computes the roll-ups and the people of rooms again from the rows that they sum up, and returns the number of rooms: for whoever
-- has written or corrected such rows by hand. Names are kept, because only the order of capturing says which one is newest.
CREATE OR REPLACE FUNCTION rebuild_room_roll_ups(workspace int, rooms uuid[]) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  -- Nobody captures meanwhile.
  reading timestamptz := take_feed_clock(workspace);
BEGIN
  -- Activity that was not searched yet has the address of somebody who is erased already, and would make them a person once more.
  IF EXISTS (SELECT FROM erasure_runs WHERE company_id = workspace) THEN
    RAISE EXCEPTION 'an erasure of workspace % is under way; rebuild its rooms when it is done', workspace;
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
  PERFORM roll_up_events(workspace, array_agg(id))
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
    SELECT room_id, active_identity(email, person) FROM room_people WHERE company_id = workspace AND room_id = ANY (rooms)
  ) AS shown;
  RETURN cardinality(rooms);
END $$;

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

-- Follows what objects of a kind (1 rooms, 2 calls, 3 people) are called: removes the words that are only in their names of before, and adds
-- those that are only in their names of now. A new object had no name.
CREATE OR REPLACE FUNCTION replace_search_words(workspace int, what smallint, objects uuid[], named_before text[], named text[])
RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  DELETE FROM search_words s
  USING unnest(objects, named_before, named) AS o (id, before, after)
  CROSS JOIN LATERAL unnest(search_words_of(o.before)) AS w (word)
  WHERE o.before <> '' AND w.word <> ALL (search_words_of(o.after))
    AND s.company_id = workspace AND s.kind = what AND s.word = w.word COLLATE "C" AND s.object_id = o.id;
  INSERT INTO search_words (company_id, kind, word, object_id)
  SELECT workspace, what, w.word, o.id
  FROM unnest(objects, named) AS o (id, after) CROSS JOIN LATERAL unnest(search_words_of(o.after)) AS w (word)
  ON CONFLICT DO NOTHING;
END $$;

-- Writes the words of a workspace again, and returns their number: for whoever has written rooms or calls by hand.
CREATE OR REPLACE FUNCTION rebuild_search_words(workspace int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  -- Nobody captures meanwhile.
  PERFORM take_feed_clock(workspace);
  DELETE FROM search_words WHERE company_id = workspace;
  PERFORM replace_search_words(workspace, 1::smallint, array_agg(id), NULL, array_agg(name)) FROM rooms WHERE company_id = workspace;
  PERFORM replace_search_words(workspace, 2::smallint, array_agg(id), NULL, array_agg(concat_ws(' ', title, prospect_name)))
  FROM calls WHERE company_id = workspace;
  PERFORM replace_search_words(workspace, 3::smallint, array_agg(id), NULL, array_agg(concat_ws(' ', name, email)))
  FROM people WHERE company_id = workspace;
  RETURN (SELECT count(*) FROM search_words WHERE company_id = workspace);
END $$;

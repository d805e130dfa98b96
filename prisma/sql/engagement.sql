-- The capture of engagement: reading what its records refer to, and writing them.

-- Returns the parts of rooms, with their owners, that engagement objects show.
CREATE OR REPLACE FUNCTION engaged_rooms(workspace int, room_ids uuid[]) RETURNS SETOF json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', r.id, 'name', r.name, 'ownerId', r.owner_id, 'ownerName', u.name, 'ownerEmail', u.email)
  FROM unnest(room_ids) AS n (id)
  CROSS JOIN LATERAL (
    SELECT r.id, r.name, r.owner_id FROM rooms r
    WHERE r.company_id = workspace AND r.id = n.id LIMIT 1) AS r
  LEFT JOIN LATERAL (
    SELECT u.name, u.email FROM users u
    WHERE u.company_id = workspace AND u.id = r.owner_id LIMIT 1) AS u ON true
$$;

-- Takes the feed clock, if requested, and reads what records of engagement refer to, and which of them are already recorded (as
-- `event KEY`, `message KEY` or `view KEY`). Each kind is read only if it occurs: preparing seven lookups took 0.2 ms, and the
-- two of an event take 0.1 ms. Every statement in this function begins while the clock is held, so it sees what earlier holders
-- have committed.
-- @param takes_clock whether to begin a capture: to take the clock, to keep plans, and to read the subscribers of events. `at` is
--   null if there is no such workspace.
-- @param sessions what was played through which link, as {"link", "segments"}; null if there is none. What each of them played of
--   the recording is returned in the same order.
CREATE OR REPLACE FUNCTION capture_context(
  workspace int, takes_clock boolean, rooms uuid[], links uuid[], documents uuid[], event_keys text[], message_keys text[],
  view_keys text[], sessions json,
  OUT at timestamptz, OUT subscribers json, OUT known_rooms json, OUT known_links json, OUT known_documents json, OUT recorded text[],
  OUT known_sessions json
) LANGUAGE plpgsql AS $$
BEGIN
  IF takes_clock THEN
    at := take_feed_clock(workspace);
    IF at IS NULL THEN RETURN; END IF;
    PERFORM keep_plans();
    subscribers := (SELECT json_agg(s) FROM subscribers_of(workspace) AS s);
  END IF;
  IF cardinality(rooms) > 0 THEN
    known_rooms := (SELECT json_agg(r.room) FROM engaged_rooms(workspace, rooms) AS r (room));
  END IF;
  IF cardinality(links) > 0 THEN
    known_links := (SELECT json_agg(link) FROM (
      SELECT d.id, r.room, d.identity, d.recipient_name AS "recipientName", d.recipient_email AS "recipientEmail",
             coalesce(p.id, person_id_of(workspace, d.room_id, d.identity)) AS "personId",
             d.forwarded_from_distribution_id AS "forwardedFromDistributionId",
             CASE WHEN c.id IS NOT NULL THEN
               json_build_object('id', c.id, 'title', c.title, 'durationSeconds', c.duration_seconds) END AS call
      FROM links_of(workspace, links) AS d
      CROSS JOIN LATERAL engaged_rooms(workspace, ARRAY[d.room_id]) AS r (room)
      LEFT JOIN LATERAL (
        SELECT p.id FROM people p
        WHERE p.company_id = workspace AND p.room_id = d.room_id AND p.identity = d.identity LIMIT 1
      ) AS p ON true
      LEFT JOIN LATERAL calls_of(workspace, ARRAY[d.call_id]) AS c ON true
    ) AS link);
  END IF;
  IF cardinality(documents) > 0 THEN
    known_documents := (
      SELECT json_agg(json_build_object('id', f.id, 'roomId', f.room_id)) FROM documents f
      WHERE f.company_id = workspace AND f.id = ANY (capture_context.documents));
  END IF;
  IF cardinality(event_keys) > 0 THEN
    recorded := ARRAY(
      SELECT 'event ' || key FROM engagement_events
      WHERE company_id = workspace AND source = 'event' AND key = ANY (event_keys));
  END IF;
  IF cardinality(message_keys) > 0 THEN
    recorded := recorded || ARRAY(
      SELECT 'message ' || key FROM messages WHERE company_id = workspace AND key = ANY (message_keys));
  END IF;
  IF cardinality(view_keys) > 0 THEN
    recorded := recorded || ARRAY(
      SELECT 'view ' || key FROM engagement_views WHERE company_id = workspace AND key = ANY (view_keys));
  END IF;
  IF sessions IS NOT NULL THEN
    known_sessions := (
      SELECT json_agg(json_build_object(
        'watchSeconds', p.watch_ms / 1000, 'uniqueSeconds', t.ms / 1000,
        'completionPercent', completion_percent(t.ms, c.duration_seconds)) ORDER BY s.n)
      FROM ROWS FROM (json_to_recordset(sessions) AS (link uuid, segments jsonb)) WITH ORDINALITY AS s (link, segments, n)
      LEFT JOIN LATERAL links_of(workspace, ARRAY[s.link]) AS d ON true
      LEFT JOIN LATERAL calls_of(workspace, ARRAY[d.call_id]) AS c ON true
      CROSS JOIN LATERAL played(s.segments) AS p
      CROSS JOIN LATERAL distinct_time(p.ranges, c.duration_seconds) AS t);
  END IF;
END $$;

-- Writes messages, events and views of a workspace that are not recorded yet, and adds them to the roll-ups. The caller holds the
-- feed clock, so no other transaction records them at the same time. Kinds without records are null.
CREATE OR REPLACE FUNCTION record_engagement(workspace int, new_messages json, new_events json, new_views json)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  keys text[];
  ids bigint[];
  rooms uuid[];
  identities text[];
  names text[];
  types text[];
  documents uuid[];
  times timestamptz[];
BEGIN
  IF new_messages IS NOT NULL THEN
    WITH added AS (
      INSERT INTO messages (company_id, key, room_id, side, sent_at, distribution_id, text)
      SELECT workspace, n.* FROM json_to_recordset(new_messages) AS n
        (key text, "roomId" uuid, side side, "sentAt" timestamptz, "distributionId" uuid, text text)
      RETURNING key
    )
    SELECT array_agg(key) INTO keys FROM added;
    PERFORM roll_up_messages(workspace, keys);
  END IF;
  IF new_events IS NOT NULL THEN
    WITH added AS (
      INSERT INTO engagement_events
        (company_id, id, source, key, type, occurred_at, identity, actor_name, actor_email, person_id, metadata, demo_id, demo_title,
         distribution_id, forwarded_from_distribution_id, buyer_space_id, buyer_space_name, owner_id, owner_name, owner_email,
         doc_id, object_text)
      SELECT workspace, n.* FROM json_to_recordset(new_events) AS n
        (id bigint, source event_source, key text, type text, "occurredAt" timestamptz, identity text, "actorName" text, "actorEmail" text,
         "personId" uuid, metadata json, "demoId" uuid, "demoTitle" text, "distributionId" uuid,
         "forwardedFromDistributionId" uuid, "buyerSpaceId" uuid, "buyerSpaceName" text, "ownerId" int, "ownerName" text,
         "ownerEmail" text, "docId" uuid, text text)
      RETURNING buyer_space_id, identity, actor_name, type, doc_id, occurred_at
    )
    SELECT array_agg(buyer_space_id), array_agg(identity), array_agg(actor_name), array_agg(type), array_agg(doc_id), array_agg(occurred_at)
    INTO rooms, identities, names, types, documents, times FROM added;
    PERFORM roll_up_events(workspace, rooms, identities, names, types, documents, times);
  END IF;
  IF new_views IS NOT NULL THEN
    WITH added AS (
      INSERT INTO engagement_views
        (company_id, id, key, kind, started_at, ended_at, identity, actor_name, actor_email, person_id, distribution_id,
         forwarded_from_distribution_id, buyer_space_id, buyer_space_name, owner_id, owner_name, owner_email, demo_id, demo_title,
         doc_id, watch_seconds, unique_seconds, duration_seconds, completion_percent, segments, object_text)
      SELECT workspace, n.* FROM json_to_recordset(new_views) AS n
        (id bigint, key text, kind view_kind, "startedAt" timestamptz, "endedAt" timestamptz, identity text, "actorName" text,
         "actorEmail" text, "personId" uuid, "distributionId" uuid, "forwardedFromDistributionId" uuid, "buyerSpaceId" uuid,
         "buyerSpaceName" text, "ownerId" int, "ownerName" text, "ownerEmail" text, "demoId" uuid, "demoTitle" text,
         "docId" uuid, "watchSeconds" int, "uniqueSeconds" int, "durationSeconds" int, "completionPercent" int, segments jsonb,
         text text)
      RETURNING id
    )
    SELECT array_agg(id) INTO ids FROM added;
    PERFORM roll_up_views(workspace, ids);
  END IF;
END $$;

-- Writes share links and adds them to the roll-ups. A link that is now addressed to another person, or shares another recording,
-- is removed from its previous recipients; activity through it so far stays with them. If there are several names for an address,
-- the last one counts. Returns the people whose appearance among the people of a room may have changed.
CREATE OR REPLACE FUNCTION record_links(workspace int, now_at timestamptz, new_links json)
RETURNS TABLE (room_id uuid, identity text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  addressed uuid[];
BEGIN
  -- The people whose roll-ups change, in the order of the records.
  addressed := ARRAY(
    SELECT n.id
    FROM ROWS FROM (json_to_recordset(new_links) AS
      (id uuid, "roomId" uuid, "callId" uuid, identity text, "recipientName" text, "recipientEmail" text)) WITH ORDINALITY AS n
      (id, room_id, call_id, identity, recipient_name, recipient_email, place)
    LEFT JOIN distributions d ON d.company_id = workspace AND d.id = n.id
    WHERE d.id IS NULL OR (d.room_id, d.call_id, d.identity, d.recipient_name, d.recipient_email)
      IS DISTINCT FROM (n.room_id, n.call_id, n.identity, n.recipient_name, n.recipient_email)
    ORDER BY n.place);
  RETURN QUERY
    SELECT d.room_id, d.identity FROM links_of(workspace, addressed) AS d;
  PERFORM take_back_links(workspace, addressed);
  INSERT INTO distributions AS d
    (company_id, id, room_id, call_id, identity, recipient_name, recipient_email, forwarded_from_distribution_id, updated_at)
  SELECT workspace, n.*, now_at FROM json_to_recordset(new_links) AS n
    (id uuid, "roomId" uuid, "callId" uuid, identity text, "recipientName" text, "recipientEmail" text,
     "forwardedFromDistributionId" uuid)
  ON CONFLICT (company_id, id) DO UPDATE SET
    call_id = EXCLUDED.call_id, identity = EXCLUDED.identity, recipient_name = EXCLUDED.recipient_name, recipient_email = EXCLUDED.recipient_email,
    forwarded_from_distribution_id = EXCLUDED.forwarded_from_distribution_id;
  PERFORM roll_up_links(workspace, addressed, true);
  RETURN QUERY
    SELECT d.room_id, d.identity FROM links_of(workspace, addressed) AS d;
END $$;

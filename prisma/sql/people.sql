-- The people of a room: the members of its People section, the recipients of share links, and people who were active. A person
-- has the same identity in all tables. packages/serializers/src/rooms/identity.ts builds it, and an erasure replaces it.

-- Returns the id of a person, which is derived from the room and the identity. After a restore that lost commits, the same person
-- gets the same id, so the copies of consumers contain no duplicates. The id has the form of a UUID of version 8.
CREATE OR REPLACE FUNCTION person_id(room uuid, identity text) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(set_byte(set_byte(hash, 6, get_byte(hash, 6) & 15 | 128), 8, get_byte(hash, 8) & 63 | 128), 'hex')::uuid
  FROM (SELECT substr(sha256(convert_to(room::text || ' ' || identity, 'UTF8')), 1, 16) AS hash) AS hashed
$$;

-- Returns the id of a person in `people`. An erased person keeps the id that was derived from the address. So a person who is
-- captured with that address again is a different person and gets the next id.
CREATE OR REPLACE FUNCTION person_id_of(workspace int, room uuid, who text) RETURNS uuid LANGUAGE plpgsql STABLE AS $$
DECLARE
  found_id uuid;
  others int := 0;
BEGIN
  SELECT id INTO found_id FROM people p
  WHERE p.company_id = workspace AND p.room_id = room AND p.identity = who;
  IF FOUND THEN RETURN found_id; END IF;
  LOOP
    found_id := person_id(room, CASE WHEN others = 0 THEN who ELSE who || ' ' || others END);
    EXIT WHEN NOT EXISTS (SELECT FROM people p WHERE p.company_id = workspace AND p.id = found_id);
    others := others + 1;
  END LOOP;
  RETURN found_id;
END $$;

-- Writes the shown data of people where it has changed. A capture calls it last, so a person whose data is unchanged at the end
-- of the transaction does not move in the feed.
-- @param now_at the reading of the feed clock, which is the position of the people who changed.
CREATE OR REPLACE FUNCTION refresh_people(workspace int, now_at timestamptz, rooms uuid[], who text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  renamed uuid[];
  named text[];
BEGIN
  WITH requested AS (
    SELECT DISTINCT room_id, identity FROM unnest(rooms, who) AS a (room_id, identity)
  ), shown AS (
    SELECT requested.room_id, requested.identity, substring(requested.identity FROM '^email:(.*)$') AS email,
           coalesce(m.name, a.name) AS name, m.role, m.title, m.identity IS NOT NULL AS in_committee,
           m.identity IS NOT NULL OR a.identity IS NOT NULL AS is_there
    FROM requested
    -- LIMIT forces a lookup of each person: a join may read all rows of the workspace.
    LEFT JOIN LATERAL (
      SELECT * FROM room_members m
      WHERE m.company_id = workspace AND m.room_id = requested.room_id AND m.identity = requested.identity LIMIT 1
    ) AS m ON true
    LEFT JOIN LATERAL (
      SELECT * FROM room_people a
      WHERE a.company_id = workspace AND a.room_id = requested.room_id AND a.identity = requested.identity
        AND (a.links > 0 OR a.last_activity_at IS NOT NULL) LIMIT 1
    ) AS a ON true
  ), changed AS (
    -- The known data of a person who is no longer a stakeholder stays.
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
      WHERE p.company_id = workspace AND p.room_id = s.room_id AND p.identity = s.identity LIMIT 1
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
  SELECT array_agg(id), array_agg(after) INTO renamed, named
  FROM (SELECT id, before, concat_ws(' ', name, email) AS after FROM changed) AS c WHERE before <> after;
  IF renamed IS NOT NULL THEN PERFORM replace_search_names(workspace, 3::smallint, renamed, named); END IF;
END $$;

-- Erasure: what replaces the data of an erased person.
--
-- Numbers stay, so the person still counts as one person of their room: names and addresses become null, and a pseudonym replaces
-- the identity. So code that counts people by identity needs no special case.

-- Returns the pseudonym of an identity. An erasure always gives the same identity the same pseudonym, and another erasure gives
-- it another one. A pseudonym is not replaced again, and neither is the identity of a share link, which names no person. Captured
-- identities never have this form.
CREATE OR REPLACE FUNCTION erased_identity(erasure uuid, identity text) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN CASE WHEN identity ~ '^(?:erased|link):' THEN identity
    ELSE 'erased:' || encode(substr(sha256(convert_to(erasure::text || ' ' || identity, 'UTF8')), 1, 16), 'hex') END;

-- Finds the traces of people of rooms.
--
-- Here and in erase_people, LIMIT 1 and OFFSET 0 force a lookup of each person. With joins, an erasure that began before
-- PostgreSQL had statistics read all rows of the workspace: 50,000 people of a room took 326 s instead of 86 s.
-- @return the share links that are addressed to them, and their names.
CREATE OR REPLACE FUNCTION traces_of_people(
  workspace int, rooms uuid[], identities text[], OUT link_ids uuid[], OUT names text[]
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  link_ids := ARRAY(
    SELECT own.id FROM unnest(rooms, identities) AS w (room, identity)
    CROSS JOIN LATERAL (
      SELECT d.id FROM distributions d
      WHERE d.company_id = workspace AND d.room_id = w.room
        AND d.identity = w.identity OFFSET 0
    ) AS own
    ORDER BY own.id);
  names := ARRAY(
    SELECT own.name FROM unnest(rooms, identities) AS w (room, identity)
    CROSS JOIN LATERAL (
      (SELECT name FROM people p
       WHERE p.company_id = workspace AND p.room_id = w.room AND p.identity = w.identity LIMIT 1)
      UNION ALL
      (SELECT name FROM room_members m
       WHERE m.company_id = workspace AND m.room_id = w.room AND m.identity = w.identity LIMIT 1)
      UNION ALL
      (SELECT name FROM room_people a
       WHERE a.company_id = workspace AND a.room_id = w.room AND a.identity = w.identity LIMIT 1)
      UNION ALL
      (SELECT name FROM room_readings r
       WHERE r.company_id = workspace AND r.room_id = w.room AND r.identity = w.identity OFFSET 0)
    ) AS own
    WHERE own.name IS NOT NULL
    UNION
    SELECT own.name FROM unnest(link_ids) AS l (id)
    CROSS JOIN LATERAL (
      SELECT recipient_name AS name FROM distributions d WHERE d.company_id = workspace AND d.id = l.id OFFSET 0
    ) AS own
    WHERE own.name IS NOT NULL);
END $$;

-- Erases people of rooms in all tables with a row for each person, and moves those rows to the ends of their feeds. The counts of
-- their activity stay. The caller holds the feed clock, so no row moves between its lookup and its update.
--
-- An erasure of many people takes several transactions. If an erased person is captured again before it is finished, that is a
-- different person, who is erased by a later transaction and gets another pseudonym.
-- @return their ids, and the result of `traces_of_people`.
CREATE OR REPLACE FUNCTION erase_people(
  workspace int, erasure uuid, now_at timestamptz, rooms uuid[], identities text[],
  OUT person_ids uuid[], OUT link_ids uuid[], OUT names text[]
) LANGUAGE plpgsql AS $$
DECLARE
  again uuid := gen_random_uuid();
  -- OFFSET 0 makes PostgreSQL compute each pseudonym once.
  erased text[] := ARRAY(
    SELECT CASE
      WHEN n.pseudonym <> n.identity AND coalesce((
        SELECT true FROM people p
        WHERE p.company_id = workspace AND p.room_id = n.room AND p.identity = n.pseudonym LIMIT 1
      ), (
        SELECT true FROM room_people a
        WHERE a.company_id = workspace AND a.room_id = n.room AND a.identity = n.pseudonym LIMIT 1
      ), false) THEN erased_identity(again, n.identity)
      ELSE n.pseudonym END
    FROM (
      SELECT w.room, w.identity, w.place, erased_identity(erasure, w.identity) AS pseudonym
      FROM unnest(rooms, identities) WITH ORDINALITY AS w (room, identity, place) OFFSET 0
    ) AS n ORDER BY n.place);
BEGIN
  SELECT t.link_ids, t.names INTO link_ids, names FROM traces_of_people(workspace, rooms, identities) AS t;

  WITH written AS (
    UPDATE people p SET identity = w.erased, email = NULL, name = NULL, role = NULL, title = NULL, updated_at = now_at
    FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
    CROSS JOIN LATERAL (
      SELECT ctid FROM people o
      WHERE o.company_id = workspace AND o.room_id = w.room AND o.identity = w.identity LIMIT 1
    ) AS own
    WHERE p.ctid = own.ctid
    RETURNING p.id
  )
  SELECT coalesce(array_agg(id ORDER BY id), '{}') INTO person_ids FROM written;
  DELETE FROM search_names WHERE company_id = workspace AND kind = 3::smallint AND object_id = ANY (person_ids);
  UPDATE room_members m SET identity = w.erased, email = NULL, name = NULL, role = NULL, title = NULL
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  CROSS JOIN LATERAL (
    SELECT ctid FROM room_members o
      WHERE o.company_id = workspace AND o.room_id = w.room AND o.identity = w.identity LIMIT 1
  ) AS own
  WHERE m.ctid = own.ctid;
  UPDATE distributions d SET identity = w.erased, recipient_email = NULL, recipient_name = NULL, updated_at = now_at
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  CROSS JOIN LATERAL (
    SELECT ctid FROM distributions o
    WHERE o.company_id = workspace AND o.room_id = w.room
      AND o.identity = w.identity OFFSET 0
  ) AS own
  WHERE d.ctid = own.ctid;

  UPDATE room_people a SET identity = w.erased, name = NULL
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  CROSS JOIN LATERAL (
    SELECT ctid FROM room_people o
    WHERE o.company_id = workspace AND o.room_id = w.room
      AND o.identity = w.identity LIMIT 1
  ) AS own
  WHERE a.ctid = own.ctid;
  UPDATE room_watches a SET identity = w.erased
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  CROSS JOIN LATERAL (
    SELECT ctid FROM room_watches o
    WHERE o.company_id = workspace AND o.room_id = w.room AND o.identity = w.identity
    OFFSET 0
  ) AS own
  WHERE a.ctid = own.ctid;
  UPDATE room_readings a SET identity = w.erased, email = NULL, name = NULL
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  CROSS JOIN LATERAL (
    SELECT ctid FROM room_readings o
    WHERE o.company_id = workspace AND o.room_id = w.room AND o.identity = w.identity
    OFFSET 0
  ) AS own
  WHERE a.ctid = own.ctid;
  UPDATE room_document_openers a SET identity = w.erased
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  CROSS JOIN LATERAL (
    SELECT ctid FROM room_document_openers o
    WHERE o.company_id = workspace AND o.room_id = w.room AND o.identity = w.identity
    OFFSET 0
  ) AS own
  WHERE a.ctid = own.ctid;
END $$;

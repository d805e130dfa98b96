-- Erasure: what stands in the place of a person who was erased.
--
-- Numbers stay, so the person stays one person of their room: names and addresses become null, and a pseudonym replaces the identity.
-- What counts people by their identity needs no other rule.

-- The pseudonym of an identity. An erasure gives the same identity the same pseudonym again, and another erasure gives it another one. A
-- pseudonym stays what it is, and so does a share link, which names nobody. Captured identities never have this form.
CREATE OR REPLACE FUNCTION erased_identity(erasure uuid, identity text) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN CASE WHEN identity ~ '^(?:erased|link):' THEN identity
    ELSE 'erased:' || encode(substr(sha256(convert_to(erasure::text || ' ' || identity, 'UTF8')), 1, 16), 'hex') END;

-- Finds what is known of people of rooms.
-- @return the share links that are addressed to them, and their names.
CREATE OR REPLACE FUNCTION traces_of_people(
  workspace int, rooms uuid[], identities text[], OUT link_ids uuid[], OUT names text[]
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  link_ids := ARRAY(
    SELECT d.id FROM unnest(rooms, identities) AS w (room, identity)
    JOIN distributions d ON d.company_id = workspace AND d.room_id = w.room AND d.identity = w.identity
    ORDER BY d.id);
  names := ARRAY(
    SELECT own.name FROM unnest(rooms, identities) AS w (room, identity)
    CROSS JOIN LATERAL (
      SELECT name FROM people WHERE company_id = workspace AND room_id = w.room AND identity = w.identity
      UNION ALL
      SELECT name FROM room_members WHERE company_id = workspace AND room_id = w.room AND identity = w.identity
      UNION ALL
      SELECT name FROM room_people WHERE company_id = workspace AND room_id = w.room AND identity = w.identity
      UNION ALL
      SELECT name FROM room_readings WHERE company_id = workspace AND room_id = w.room AND identity = w.identity
    ) AS own
    WHERE own.name IS NOT NULL
    UNION
    SELECT recipient_name FROM distributions
    WHERE company_id = workspace AND id = ANY (link_ids) AND recipient_name IS NOT NULL);
END $$;

-- Erases people of rooms in everything that has a row for each person, and moves those rows to the ends of their feeds. What they did
-- keeps its counts. The caller holds the feed clock, so no row moves between its look-up and its update.
--
-- An erasure of many people takes several transactions. A person that it has erased may be captured again before it is finished, and is
-- then another person, who is erased by a later transaction and gets another pseudonym.
-- @return their ids, and what `traces_of_people` found of them.
CREATE OR REPLACE FUNCTION erase_people(
  workspace int, erasure uuid, now_at timestamptz, rooms uuid[], identities text[],
  OUT person_ids uuid[], OUT link_ids uuid[], OUT names text[]
) LANGUAGE plpgsql AS $$
DECLARE
  again uuid := gen_random_uuid();
  erased text[] := ARRAY(
    SELECT CASE
      WHEN n.pseudonym <> n.identity AND (
        EXISTS (SELECT FROM people p WHERE p.company_id = workspace AND p.room_id = n.room AND p.identity = n.pseudonym)
        OR EXISTS (SELECT FROM room_people a WHERE a.company_id = workspace AND a.room_id = n.room AND a.identity = n.pseudonym)
      ) THEN erased_identity(again, n.identity)
      ELSE n.pseudonym END
    FROM (
      SELECT w.room, w.identity, w.place, erased_identity(erasure, w.identity) AS pseudonym
      FROM unnest(rooms, identities) WITH ORDINALITY AS w (room, identity, place)
    ) AS n ORDER BY n.place);
BEGIN
  SELECT t.link_ids, t.names INTO link_ids, names FROM traces_of_people(workspace, rooms, identities) AS t;

  PERFORM replace_search_words(
    workspace, 3::smallint, array_agg(p.id), array_agg(concat_ws(' ', p.name, p.email)), array_agg(''::text))
  FROM unnest(rooms, identities) AS w (room, identity)
  JOIN people p ON p.company_id = workspace AND p.room_id = w.room AND p.identity = w.identity;
  WITH written AS (
    UPDATE people p SET identity = w.erased, email = NULL, name = NULL, role = NULL, title = NULL, updated_at = now_at
    FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
    WHERE p.company_id = workspace AND p.room_id = w.room AND p.identity = w.identity
    RETURNING p.id
  )
  SELECT coalesce(array_agg(id ORDER BY id), '{}') INTO person_ids FROM written;
  UPDATE room_members m SET identity = w.erased, email = NULL, name = NULL, role = NULL, title = NULL
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  WHERE m.company_id = workspace AND m.room_id = w.room AND m.identity = w.identity;
  UPDATE distributions d SET identity = w.erased, recipient_email = NULL, recipient_name = NULL, updated_at = now_at
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  WHERE d.company_id = workspace AND d.room_id = w.room AND d.identity = w.identity;

  UPDATE room_people a SET identity = w.erased, name = NULL
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  WHERE a.company_id = workspace AND a.room_id = w.room AND a.identity = w.identity;
  UPDATE room_watches a SET identity = w.erased
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  WHERE a.company_id = workspace AND a.room_id = w.room AND a.identity = w.identity;
  UPDATE room_readings a SET identity = w.erased, email = NULL, name = NULL
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  WHERE a.company_id = workspace AND a.room_id = w.room AND a.identity = w.identity;
  UPDATE room_document_openers a SET identity = w.erased
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  WHERE a.company_id = workspace AND a.room_id = w.room AND a.identity = w.identity;
END $$;

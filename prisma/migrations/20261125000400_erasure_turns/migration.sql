-- Applies, from prisma/sql: erasures.sql, search-words.sql

-- Erasures take turns by workspace, and a large one is begun in batches.

-- CreateTable
CREATE TABLE "erasure_turns" (
    "company_id" INTEGER NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "erasure_turns_pkey" PRIMARY KEY ("company_id"),
    CONSTRAINT "erasure_turns_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- AlterTable
-- No release has had the column.
-- squawk-ignore ban-drop-column
ALTER TABLE "erasure_runs" DROP COLUMN "leased_until";
ALTER TABLE "erasure_runs" ADD COLUMN "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity'::timestamptz;
ALTER TABLE "erasure_runs" ADD COLUMN "people" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "erasures" ADD COLUMN "people" INTEGER NOT NULL DEFAULT 0;

-- Follows what objects of a kind (1 rooms, 2 calls, 3 people) are called: removes the words that are only in their names of before, and adds
-- those that are only in their names of now. A new object had no name.
CREATE OR REPLACE FUNCTION replace_search_words(workspace int, what smallint, objects uuid[], named_before text[], named text[])
RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  DELETE FROM search_words s
  USING unnest(objects, named_before, named) AS o (id, before, after)
  CROSS JOIN LATERAL unnest(search_words_of(o.before)) AS w (word)
  -- Each is looked up by itself. As a join, all words of the workspace may be compared.
  CROSS JOIN LATERAL (
    SELECT ctid FROM search_words f
    WHERE f.company_id = workspace AND f.kind = what AND f.word = w.word COLLATE "C" AND f.object_id = o.id OFFSET 0
  ) AS own
  WHERE o.before <> '' AND w.word <> ALL (search_words_of(o.after)) AND s.ctid = own.ctid;
  INSERT INTO search_words (company_id, kind, word, object_id)
  SELECT workspace, what, w.word, o.id
  FROM unnest(objects, named) AS o (id, after) CROSS JOIN LATERAL unnest(search_words_of(o.after)) AS w (word)
  ON CONFLICT DO NOTHING;
END $$;

-- Finds what is known of people of rooms. Each is looked up by itself, by key: as a join, all rows of a large room may be compared with
-- each person.
-- @return the share links that are addressed to them, their keys in the roll-ups, and their names.
CREATE OR REPLACE FUNCTION traces_of_people(
  workspace int, rooms uuid[], identities text[], OUT link_ids uuid[], OUT persons text[], OUT names text[]
) LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  persons := ARRAY(SELECT DISTINCT active_person(identity) FROM unnest(identities) AS n (identity) WHERE active_person(identity) IS NOT NULL);
  link_ids := ARRAY(
    SELECT own.id FROM unnest(rooms, identities) AS w (room, identity)
    CROSS JOIN LATERAL (
      SELECT d.id FROM distributions d
      WHERE d.company_id = workspace AND d.room_id = w.room
        AND person_of(d.recipient_email, d.id) BETWEEN active_person(w.identity) AND active_person(w.identity)
        AND active_identity(d.recipient_email, person_of(d.recipient_email, d.id)) = w.identity
      ORDER BY person_of(d.recipient_email, d.id) OFFSET 0
    ) AS own
    ORDER BY own.id);
  names := ARRAY(
    SELECT own.name FROM unnest(rooms, identities) AS w (room, identity)
    CROSS JOIN LATERAL (
      (SELECT name FROM people p
       WHERE p.company_id = workspace AND p.room_id = w.room AND p.identity BETWEEN w.identity AND w.identity
       ORDER BY p.identity LIMIT 1)
      UNION ALL
      (SELECT name FROM room_members m
       WHERE m.company_id = workspace AND m.room_id = w.room AND m.identity BETWEEN w.identity AND w.identity
       ORDER BY m.identity LIMIT 1)
      UNION ALL
      (SELECT name FROM room_people a
       WHERE a.company_id = workspace AND a.room_id = w.room
         AND a.person BETWEEN active_person(w.identity) AND active_person(w.identity)
       ORDER BY a.person LIMIT 1)
      UNION ALL
      (SELECT name FROM room_readings r
       WHERE r.company_id = workspace AND r.room_id = w.room AND r.person = active_person(w.identity) OFFSET 0)
    ) AS own
    WHERE own.name IS NOT NULL
    UNION
    SELECT own.name FROM unnest(link_ids) AS l (id)
    CROSS JOIN LATERAL (
      SELECT recipient_name AS name FROM distributions d WHERE d.company_id = workspace AND d.id = l.id OFFSET 0
    ) AS own
    WHERE own.name IS NOT NULL);
END $$;

-- Erases people of rooms in everything that has a row for each person, and moves those rows to the ends of their feeds. What they did
-- keeps its counts. The caller holds the feed clock, so no row moves between its look-up and its update.
--
-- An erasure of many people takes several transactions. A person that it has erased may be captured again before it is finished, and is
-- then another person, who is erased by a later transaction and gets another pseudonym.
-- @return their ids, and what `traces_of_people` found of them.
CREATE OR REPLACE FUNCTION erase_people(
  workspace int, erasure uuid, now_at timestamptz, rooms uuid[], identities text[],
  OUT person_ids uuid[], OUT link_ids uuid[], OUT persons text[], OUT names text[]
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  again uuid := gen_random_uuid();
  -- `OFFSET 0` computes a pseudonym once, and scalar queries keep the order that leads to the right index.
  erased text[] := ARRAY(
    SELECT CASE
      WHEN n.pseudonym <> n.identity AND coalesce((
        SELECT true FROM people p
        WHERE p.company_id = workspace AND p.room_id = n.room AND p.identity BETWEEN n.pseudonym AND n.pseudonym
        ORDER BY p.identity LIMIT 1
      ), (
        SELECT true FROM room_people a
        WHERE a.company_id = workspace AND a.room_id = n.room
          AND a.person BETWEEN active_person(n.pseudonym) AND active_person(n.pseudonym)
        ORDER BY a.person LIMIT 1
      ), false) THEN erased_identity(again, n.identity)
      ELSE n.pseudonym END
    FROM (
      SELECT w.room, w.identity, w.place, erased_identity(erasure, w.identity) AS pseudonym
      FROM unnest(rooms, identities) WITH ORDINALITY AS w (room, identity, place) OFFSET 0
    ) AS n ORDER BY n.place);
BEGIN
  SELECT t.link_ids, t.persons, t.names INTO link_ids, persons, names FROM traces_of_people(workspace, rooms, identities) AS t;

  PERFORM replace_search_words(workspace, 3::smallint, array_agg(own.id), array_agg(own.words), array_agg(''::text))
  FROM unnest(rooms, identities) AS w (room, identity)
  CROSS JOIN LATERAL (
    SELECT p.id, concat_ws(' ', p.name, p.email) AS words FROM people p
    WHERE p.company_id = workspace AND p.room_id = w.room AND p.identity BETWEEN w.identity AND w.identity
    ORDER BY p.identity LIMIT 1
  ) AS own;
  WITH written AS (
    UPDATE people p SET identity = w.erased, email = NULL, name = NULL, role = NULL, title = NULL, updated_at = now_at
    FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
    CROSS JOIN LATERAL (
      SELECT ctid FROM people o
      WHERE o.company_id = workspace AND o.room_id = w.room AND o.identity BETWEEN w.identity AND w.identity
      ORDER BY o.identity LIMIT 1
    ) AS own
    WHERE p.ctid = own.ctid
    RETURNING p.id
  )
  SELECT coalesce(array_agg(id ORDER BY id), '{}') INTO person_ids FROM written;
  UPDATE room_members m SET identity = w.erased, name = NULL, role = NULL, title = NULL,
    email = CASE WHEN m.email IS NOT NULL THEN active_person(w.erased) END
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  CROSS JOIN LATERAL (
    SELECT ctid FROM room_members o
      WHERE o.company_id = workspace AND o.room_id = w.room AND o.identity BETWEEN w.identity AND w.identity
      ORDER BY o.identity LIMIT 1
  ) AS own
  WHERE m.ctid = own.ctid;
  UPDATE distributions d SET recipient_name = NULL, updated_at = now_at,
    recipient_email = CASE WHEN d.recipient_email IS NOT NULL THEN active_person(w.erased) END
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  CROSS JOIN LATERAL (
    SELECT ctid FROM distributions o
    WHERE o.company_id = workspace AND o.room_id = w.room
      AND person_of(o.recipient_email, o.id) BETWEEN active_person(w.identity) AND active_person(w.identity)
      AND active_identity(o.recipient_email, person_of(o.recipient_email, o.id)) = w.identity
    ORDER BY person_of(o.recipient_email, o.id) OFFSET 0
  ) AS own
  WHERE d.ctid = own.ctid;

  UPDATE room_people a SET person = active_person(w.erased), name = NULL,
    email = CASE WHEN a.email IS NOT NULL THEN active_person(w.erased) END
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  CROSS JOIN LATERAL (
    SELECT ctid FROM room_people o
    WHERE o.company_id = workspace AND o.room_id = w.room
      AND o.person BETWEEN active_person(w.identity) AND active_person(w.identity)
    ORDER BY o.person LIMIT 1
  ) AS own
  WHERE a.ctid = own.ctid;
  UPDATE room_watches a SET person = active_person(w.erased)
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  CROSS JOIN LATERAL (
    SELECT ctid FROM room_watches o
    WHERE o.company_id = workspace AND o.room_id = w.room AND o.person = active_person(w.identity)
    OFFSET 0
  ) AS own
  WHERE a.ctid = own.ctid;
  UPDATE room_readings a SET person = active_person(w.erased), email = NULL, name = NULL
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  CROSS JOIN LATERAL (
    SELECT ctid FROM room_readings o
    WHERE o.company_id = workspace AND o.room_id = w.room AND o.person = active_person(w.identity)
    OFFSET 0
  ) AS own
  WHERE a.ctid = own.ctid;
  UPDATE room_document_openers a SET person = active_person(w.erased)
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  CROSS JOIN LATERAL (
    SELECT ctid FROM room_document_openers o
    WHERE o.company_id = workspace AND o.room_id = w.room AND o.person = active_person(w.identity)
    OFFSET 0
  ) AS own
  WHERE a.ctid = own.ctid;
END $$;

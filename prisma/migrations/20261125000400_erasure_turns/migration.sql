-- Applies, from prisma/sql: erasures.sql

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

-- Finds what is known of people of rooms.
-- @return the share links that are addressed to them, their keys in the roll-ups, and their names.
CREATE OR REPLACE FUNCTION traces_of_people(
  workspace int, rooms uuid[], identities text[], OUT link_ids uuid[], OUT persons text[], OUT names text[]
) LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan AS $$
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
END $$;

-- Erases people of rooms in everything that has a row for each person, and moves those rows to the ends of their feeds. What they did
-- keeps its counts. The caller holds the feed clock.
--
-- An erasure of many people takes several transactions. A person that it has erased may be captured again before it is finished, and is
-- then another person, who is erased by a later transaction and gets another pseudonym.
-- @return their ids, and what `traces_of_people` found of them.
CREATE OR REPLACE FUNCTION erase_people(
  workspace int, erasure uuid, now_at timestamptz, rooms uuid[], identities text[],
  OUT person_ids uuid[], OUT link_ids uuid[], OUT persons text[], OUT names text[]
) LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  again uuid := gen_random_uuid();
  erased text[] := ARRAY(
    SELECT erased_identity(
      CASE WHEN n.pseudonym <> n.identity AND (
        EXISTS (SELECT FROM people p WHERE p.company_id = workspace AND p.room_id = n.room AND p.identity = n.pseudonym)
        OR EXISTS (
          SELECT FROM room_people a WHERE a.company_id = workspace AND a.room_id = n.room AND a.person = active_person(n.pseudonym))
      ) THEN again ELSE erasure END, n.identity)
    FROM (
      SELECT w.room, w.identity, w.place, erased_identity(erasure, w.identity) AS pseudonym
      FROM unnest(rooms, identities) WITH ORDINALITY AS w (room, identity, place)
    ) AS n ORDER BY n.place);
BEGIN
  SELECT t.link_ids, t.persons, t.names INTO link_ids, persons, names FROM traces_of_people(workspace, rooms, identities) AS t;

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
  UPDATE room_members m SET identity = w.erased, name = NULL, role = NULL, title = NULL,
    email = CASE WHEN m.email IS NOT NULL THEN active_person(w.erased) END
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  WHERE m.company_id = workspace AND m.room_id = w.room AND m.identity = w.identity;
  UPDATE distributions d SET recipient_name = NULL, updated_at = now_at,
    recipient_email = CASE WHEN d.recipient_email IS NOT NULL THEN active_person(w.erased) END
  FROM unnest(rooms, identities, erased) AS w (room, identity, erased)
  WHERE d.company_id = workspace AND d.id = ANY (link_ids) AND d.room_id = w.room
    AND active_identity(d.recipient_email, person_of(d.recipient_email, d.id)) = w.identity;

  UPDATE room_people a SET person = active_person(w.erased), name = NULL,
    email = CASE WHEN a.email IS NOT NULL THEN active_person(w.erased) END
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

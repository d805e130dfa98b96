-- Capture takes the feed clock before any other lock. Taking all clocks first keeps capture out until the table is filled;
-- readers are not kept out.
LOCK TABLE "feed_clocks" IN SHARE ROW EXCLUSIVE MODE;

-- CreateTable
CREATE TABLE "people" (
    "company_id" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "room_id" UUID NOT NULL,
    "identity" TEXT NOT NULL,
    "email" TEXT,
    "name" TEXT,
    "role" TEXT,
    "title" TEXT,
    "in_committee" BOOLEAN NOT NULL,
    "removed_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "people_pkey" PRIMARY KEY ("company_id","id")
);

-- AddForeignKey
ALTER TABLE "people" ADD CONSTRAINT "people_company_id_room_id_fkey" FOREIGN KEY ("company_id", "room_id") REFERENCES "rooms"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- From here on: what Prisma's schema language cannot express.

-- The identity of somebody in `room_people`: the address, or the share link of a recipient without one. Members of a room with
-- an address have the same identity.
CREATE FUNCTION active_identity(email text, person text) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN CASE WHEN email IS NULL THEN 'link:' ELSE 'email:' END || person;

-- The id of a person follows from the room and the identity: after a restore that lost commits, the same person gets the same
-- id, so the copies of consumers have nobody twice. The form is that of a UUID of version 8.
CREATE FUNCTION person_id(room uuid, identity text) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(set_byte(set_byte(hash, 6, get_byte(hash, 6) & 15 | 128), 8, get_byte(hash, 8) & 63 | 128), 'hex')::uuid
  FROM (SELECT substr(sha256(convert_to(room::text || ' ' || identity, 'UTF8')), 1, 16) AS hash) AS hashed
$$;

-- All stakeholders of a workspace, as the room metrics list them.
CREATE FUNCTION stakeholders_of(workspace int)
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
CREATE FUNCTION refresh_person(workspace int, room uuid, who text) RETURNS void LANGUAGE plpgsql
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

CREATE FUNCTION refresh_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM refresh_person(OLD.company_id, OLD.room_id, OLD.identity);
  ELSE
    PERFORM refresh_person(NEW.company_id, NEW.room_id, NEW.identity);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION refresh_active_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_person(NEW.company_id, NEW.room_id, active_identity(NEW.email, NEW.person));
  RETURN NULL;
END $$;

-- They run when the transaction commits, so a person who ends as the transaction found them does not move in the feed. What
-- people do changes their row of room_people all the time, but nothing that is shown here: the condition is checked right
-- away, and such a change is not even remembered.
CREATE CONSTRAINT TRIGGER refresh_person AFTER INSERT OR UPDATE OR DELETE ON room_members
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refresh_member();
CREATE CONSTRAINT TRIGGER refresh_new_person AFTER INSERT ON room_people
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refresh_active_person();
CREATE CONSTRAINT TRIGGER refresh_person AFTER UPDATE ON room_people
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.email, OLD.name, OLD.links > 0 OR OLD.last_activity_at IS NOT NULL)
        IS DISTINCT FROM (NEW.email, NEW.name, NEW.links > 0 OR NEW.last_activity_at IS NOT NULL))
  EXECUTE FUNCTION refresh_active_person();

-- No cursor of this feed exists yet, so all of them can have one position. The clocks move to it as well: whatever is written
-- later comes later, even if the system clock steps back.
INSERT INTO people (company_id, id, room_id, identity, email, name, role, title, in_committee, updated_at)
SELECT c.id, person_id(s.room_id, s.identity), s.room_id, s.identity, s.email, s.name, s.role, s.title, s.in_committee, now()
FROM companies c CROSS JOIN LATERAL stakeholders_of(c.id) AS s;

UPDATE feed_clocks SET at = greatest(at, date_trunc('milliseconds', clock_timestamp()));

-- Built after the rows.
-- CreateIndex
CREATE UNIQUE INDEX "people_company_id_room_id_identity_key" ON "people"("company_id", "room_id", "identity");

-- CreateIndex
CREATE INDEX "people_company_id_updated_at_id_idx" ON "people"("company_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "people_company_id_room_id_updated_at_id_idx" ON "people"("company_id", "room_id", "updated_at", "id");

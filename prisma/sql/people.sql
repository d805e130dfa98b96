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

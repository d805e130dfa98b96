-- Applies, from prisma/sql: audit-records.sql, ready-line.sql

-- The line of the workspaces that have ready deliveries, and what wakes the dispatchers. A workspace with a ready delivery is always
-- listed: several statements make deliveries ready, and one that forgot to list the workspace would leave its deliveries unclaimed.
-- So triggers list it.

-- Dispatchers that want to be woken (DISPATCH_WAKE) listen to the channel "deliveries_ready" and hold the advisory lock
-- 4829113017 in shared mode. Whoever makes a delivery ready notifies them with the commit.
--
-- PostgreSQL commits transactions that notify one after the other, so nobody notifies while nobody listens: the lock is
-- free then. Two transactions that look at the same moment may take each other for a dispatcher, which costs a needless
-- notification. The function never waits.
CREATE OR REPLACE FUNCTION "wake_dispatchers"() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF pg_try_advisory_lock(4829113017) THEN
    PERFORM pg_advisory_unlock(4829113017);
  ELSE
    PERFORM pg_notify('deliveries_ready', '');
  END IF;
END $$;

-- Lists a workspace. A listing that exists is locked against removal until the commit, because whoever removes listings cannot see
-- this transaction's deliveries yet. Nobody ever waits for such a lock: if the listing is just being removed, the workspace is
-- listed once more.
CREATE OR REPLACE FUNCTION "list_ready_workspace"("workspace" INTEGER) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM "ready_workspaces" WHERE "company_id" = "workspace" LIMIT 1 FOR KEY SHARE SKIP LOCKED;
  IF NOT FOUND THEN
    INSERT INTO "ready_workspaces" ("company_id") VALUES ("workspace");
  END IF;
  PERFORM "wake_dispatchers"();
END $$;

CREATE OR REPLACE FUNCTION "list_inserted_ready"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "list_ready_workspace"("company_id") FROM (
    SELECT DISTINCT "company_id" FROM "inserted" WHERE "ready" ORDER BY "company_id"
  ) AS "workspaces";
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "list_updated_ready"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "list_ready_workspace"(NEW."company_id");
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "list_inserted_ready" AFTER INSERT ON "webhook_deliveries"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "list_inserted_ready"();

CREATE OR REPLACE TRIGGER "list_updated_ready" AFTER UPDATE OF "ready" ON "webhook_deliveries"
  FOR EACH ROW WHEN (NEW."ready" AND NOT OLD."ready") EXECUTE FUNCTION "list_updated_ready"();

-- The role of the apps may add to the audit log and read it, and nothing else. The exceptions are these functions, which run as their
-- owner. Their `search_path` is their own, with the temporary tables of a caller last, so nobody can put another table in the place of
-- ours.

-- Removes a batch of a workspace's audit records, oldest first. The setting of the worker is an argument, which whoever has the
-- password of the apps could choose, so what is younger than 30 days stays whatever is asked for. AUDIT_RETENTION_DAYS has
-- the same minimum. Records never change, so their places in the table do not either.
CREATE OR REPLACE FUNCTION remove_old_audit_records(workspace integer, days integer, most integer) RETURNS integer
LANGUAGE sql STRICT SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH removed AS (
    DELETE FROM audit_records WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM audit_records
      -- An id says when its record was written: see packages/db/src/feeds/position.ts.
      WHERE company_id = workspace
        AND id < extract(epoch FROM statement_timestamp() - make_interval(days => greatest(days, 30)))::bigint * 1000000
      ORDER BY id LIMIT most
      FOR UPDATE SKIP LOCKED
    ))
    RETURNING 1
  )
  SELECT count(*)::integer FROM removed
$$;
REVOKE EXECUTE ON FUNCTION remove_old_audit_records(integer, integer, integer) FROM PUBLIC;

-- Blanks what a pattern finds in the details of a batch of a workspace's audit records while an erasure of the workspace is under way.
-- Whoever has the password of the apps could blank details with it, but not change who did what to which object and when.
-- @return the last id that was looked at; null at the end.
CREATE OR REPLACE FUNCTION erase_in_audit_records(workspace integer, pattern text, after bigint, most integer) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH part AS (
    SELECT id, details FROM audit_records
    WHERE company_id = workspace AND id > after AND EXISTS (SELECT FROM erasure_runs WHERE company_id = workspace)
    ORDER BY id LIMIT most
  ), erased AS (
    UPDATE audit_records a SET details = regexp_replace(a.details::text, pattern, '[erased]', 'g')::jsonb
    FROM part
    WHERE a.company_id = workspace AND a.id = part.id AND part.details::text ~ pattern
  )
  SELECT CASE WHEN count(*) = most THEN max(id) END FROM part
$$;
REVOKE EXECUTE ON FUNCTION erase_in_audit_records(integer, text, bigint, integer) FROM PUBLIC;

-- What the role of the apps must not change, it cannot: the history of migrations, and what was audited.
-- docker/postgres-roles.sql lets it read and write whatever a migration creates, so this takes rights back. A
-- database that is used with a single role has no such role, and nothing to take back.
--
-- few rows: this changes rights and no rows.
DO $$
BEGIN
  IF to_regrole('signals_app') IS NOT NULL THEN
    REVOKE INSERT, UPDATE, DELETE ON "_prisma_migrations" FROM signals_app;
    REVOKE UPDATE, DELETE ON "audit_records" FROM signals_app;
  END IF;
END
$$;

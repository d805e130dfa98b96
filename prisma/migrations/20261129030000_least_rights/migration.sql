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

-- The exception is a function that runs as its owner. Its `search_path` is its own, with the temporary tables of a caller last, so
-- nobody can put another table in the place of ours.

-- Removes a batch of a workspace's audit records, oldest first. The setting of the worker is an argument, which whoever has the
-- password of the apps could choose, so what is younger than 30 days stays whatever is asked for. AUDIT_RETENTION_DAYS has
-- the same minimum. Records never change, so their places in the table do not either.
CREATE FUNCTION remove_old_audit_records(workspace integer, days integer, most integer) RETURNS integer
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

-- A foreign key acts with the rights of the table's owner, so a new id of a company would have rewritten its audit records. Not
-- validated yet, which would read the whole table under a lock that excludes everybody.
ALTER TABLE "audit_records" DROP CONSTRAINT "audit_records_company_id_fkey";
ALTER TABLE "audit_records" ADD CONSTRAINT "audit_records_company_id_fkey"
  FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE RESTRICT NOT VALID;

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

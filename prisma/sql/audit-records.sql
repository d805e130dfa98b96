-- The role of the apps may insert audit records and read them, but nothing else. These functions are the exceptions; they run
-- with the rights of their owner. They set their own `search_path`, with the temporary tables of a caller last, so a caller
-- cannot substitute another table.

-- Removes a batch of a workspace's audit records whose id is below a bound, oldest first. The caller knows the times of the ids.
-- A caller with the password of the apps could choose any bound, so records that are younger than 30 days stay.
-- AUDIT_RETENTION_DAYS has the same minimum. The records are found by their key, because their times have no index. They never
-- change, so their ctids do not change either.
CREATE OR REPLACE FUNCTION remove_old_audit_records(workspace integer, id_end bigint, most integer) RETURNS integer
LANGUAGE sql STRICT SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH removed AS (
    DELETE FROM audit_records WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM audit_records
      WHERE company_id = workspace AND id < id_end
      ORDER BY id LIMIT most
      FOR UPDATE SKIP LOCKED
    )) AND at < statement_timestamp() - interval '30 days'
    RETURNING 1
  )
  SELECT count(*)::integer FROM removed
$$;
REVOKE EXECUTE ON FUNCTION remove_old_audit_records(integer, bigint, integer) FROM PUBLIC;

-- Blanks parts of a text in the details of an audit record while an erasure of the workspace is running. A caller with the
-- password of the apps could use it to blank details, but not to write others, or to change who did what to which object and
-- when. So the function writes the mark itself, the same as ERASED in packages/capture/src/erasures/matching/matcher.ts.
-- @param path the keys and positions that lead to the text.
-- @param kept the parts of the text that stay, in order.
CREATE OR REPLACE FUNCTION erase_in_audit_record(workspace integer, record bigint, path text[], kept text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE audit_records SET details = jsonb_set(details, path, to_jsonb(array_to_string(kept, '[erased]')), false)
  WHERE company_id = workspace AND id = record AND EXISTS (SELECT FROM erasure_runs WHERE company_id = workspace)
    AND jsonb_typeof(details #> path) = 'string'
    AND details #>> path LIKE (
      SELECT string_agg(regexp_replace(k.piece, '([\\%_])', '\\\1', 'g'), '%' ORDER BY k.n)
      FROM unnest(kept) WITH ORDINALITY AS k (piece, n))
$$;
REVOKE EXECUTE ON FUNCTION erase_in_audit_record(integer, bigint, text[], text[]) FROM PUBLIC;

-- Applies, from prisma/sql: audit-records.sql

-- Audit records are erased text by text. A pattern that is applied to their JSON can destroy it.
DROP FUNCTION erase_in_audit_records(integer, text, bigint, integer);

-- Replaces a text in the details of an audit record by the same text with parts of it blanked, while an erasure of the workspace is
-- under way. Whoever has the password of the apps could blank details with it, but not write others, nor change who did what to which
-- object and when.
-- @param path the keys and positions that lead to the text.
CREATE OR REPLACE FUNCTION erase_in_audit_record(workspace integer, record bigint, path text[], erased text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE audit_records SET details = jsonb_set(details, path, to_jsonb(erased), false)
  WHERE company_id = workspace AND id = record AND EXISTS (SELECT FROM erasure_runs WHERE company_id = workspace)
    AND jsonb_typeof(details #> path) = 'string'
    AND details #>> path LIKE replace(regexp_replace(erased, '([\\%_])', '\\\1', 'g'), '[erased]', '%')
$$;
REVOKE EXECUTE ON FUNCTION erase_in_audit_record(integer, bigint, text[], text) FROM PUBLIC;

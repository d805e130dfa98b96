-- The feed clock: one row for each workspace. Every writer to its feeds locks the row first and holds the lock until the commit.

-- Locks the clock of a workspace and returns its next reading: the time of the server, or a millisecond after the last reading if
-- that is later. Returns null if there is no such workspace. It does not use now(), which is the start of the transaction, before
-- the wait for the lock.
CREATE OR REPLACE FUNCTION take_feed_clock(workspace int) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  reading timestamptz;
BEGIN
  UPDATE feed_clocks SET at = greatest(date_trunc('milliseconds', clock_timestamp()), at + interval '1 millisecond')
  WHERE company_id = workspace
  RETURNING at INTO reading;
  RETURN reading;
END $$;

-- Makes each statement of the transaction use a cached generic plan, which must not scan a table that was small when the plan was
-- made. Planning each time takes PostgreSQL as long as the rest of a captured event: docs/decisions/22-plans-that-are-kept.md.
CREATE OR REPLACE FUNCTION keep_plans() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true);
END $$;

-- The rate limit of an endpoint: the maximum number of its deliveries that may be claimed in any minute.
--
-- Locking is a separate function, because each statement in a function sees what was committed before that statement began. The
-- statement that claims would count what was committed before it began, without the other dispatcher's claims, and both
-- dispatchers would claim the same number.
--
-- A claim counts until a minute after the end of the second in which it was made. A time in the future, after the clock was set
-- back, does not count.

-- Returns how many deliveries a rate limit allows now, given the times of claims under it and their numbers.
CREATE OR REPLACE FUNCTION "remaining_rate_limit"("most" INTEGER, "times" TIMESTAMPTZ[], "counts" INTEGER[]) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  "moment" TIMESTAMPTZ := clock_timestamp();
BEGIN
  RETURN greatest(0, "most" - coalesce((
    SELECT sum("claims") FROM unnest("times", "counts") AS "recent" ("at", "claims")
    WHERE "at" > "moment" - interval '1 minute' AND "at" <= "moment" + interval '1 second'
  ), 0));
END $$;

-- Returns the time from which the rate limit of an endpoint allows another claim, which may be in the past. Returns null if the
-- claims that still count do not exhaust the limit.
CREATE OR REPLACE FUNCTION "rate_limit_open_since"("most" INTEGER, "times" TIMESTAMPTZ[], "counts" INTEGER[]) RETURNS TIMESTAMPTZ LANGUAGE plpgsql AS $$
BEGIN
  RETURN (
    SELECT "at" + interval '1 minute' FROM (
      SELECT "at", sum("claims") OVER (ORDER BY "at" DESC) AS "claimed" FROM unnest("times", "counts") AS "recent" ("at", "claims")
      WHERE "at" <= clock_timestamp() + interval '1 second'
    ) AS "newest" WHERE "claimed" >= "most" ORDER BY "at" DESC LIMIT 1
  );
END $$;

-- Locks a rate limit until the end of the transaction and returns how many deliveries it allows now. Returns 0 if another
-- transaction has locked it, because that dispatcher may claim all of them.
CREATE OR REPLACE FUNCTION "lock_rate_limit"("workspace" INTEGER, "endpoint" INTEGER) RETURNS INTEGER LANGUAGE plpgsql AS $$
BEGIN
  RETURN coalesce((
    SELECT remaining_rate_limit("max_per_minute", "claimed_at", "claimed") FROM (
      SELECT * FROM "endpoint_rate_limits" WHERE "company_id" = "workspace" AND "endpoint_id" = "endpoint" FOR NO KEY UPDATE SKIP LOCKED
    ) AS "locked"
  ), 0);
END $$;

-- Counts deliveries that were claimed under a rate limit that the caller has locked. It drops times that no longer count, so a
-- row never has more than 61 times.
CREATE OR REPLACE FUNCTION "consume_rate_limit"("workspace" INTEGER, "endpoint" INTEGER, "claims_made" INTEGER) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  "moment" TIMESTAMPTZ := clock_timestamp();
BEGIN
  UPDATE "endpoint_rate_limits" SET ("claimed_at", "claimed") = (
    SELECT array_agg("at" ORDER BY "at"), array_agg("claims" ORDER BY "at") FROM (
      SELECT "at", sum("claims")::int AS "claims" FROM (
        SELECT "at", "claims" FROM unnest("claimed_at", "claimed") AS "recent" ("at", "claims")
        WHERE "at" > "moment" - interval '1 minute' AND "at" <= "moment" + interval '1 second'
        UNION ALL
        SELECT date_trunc('second', "moment") + interval '1 second', "claims_made"
      ) AS "all_claims" GROUP BY "at"
    ) AS "by_second"
  ) WHERE "company_id" = "workspace" AND "endpoint_id" = "endpoint";
  RETURN "claims_made";
END $$;

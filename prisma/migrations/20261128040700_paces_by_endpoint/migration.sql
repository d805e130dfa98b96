-- The functions that lock and spend a pace, by the key of its row. Those that find it by its number are for processes of the
-- previous release. The migration "endpoint_pace" says why these are functions.
CREATE FUNCTION "lock_pace"("workspace" INTEGER, "endpoint" INTEGER) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  "moment" TIMESTAMPTZ := clock_timestamp();
  "allowed" INTEGER;
BEGIN
  SELECT "max_per_minute" - coalesce((
    SELECT sum("claims") FROM unnest("claimed_at", "claimed") AS "recent" ("at", "claims")
    WHERE "at" > "moment" - interval '1 minute' AND "at" <= "moment" + interval '1 second'
  ), 0) INTO "allowed"
  FROM "endpoint_paces" WHERE "company_id" = "workspace" AND "endpoint_id" = "endpoint" FOR NO KEY UPDATE SKIP LOCKED;
  RETURN greatest(0, coalesce("allowed", 0));
END $$;

CREATE FUNCTION "spend_pace"("workspace" INTEGER, "endpoint" INTEGER, "claims_made" INTEGER) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  "moment" TIMESTAMPTZ := clock_timestamp();
BEGIN
  UPDATE "endpoint_paces" SET ("claimed_at", "claimed") = (
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

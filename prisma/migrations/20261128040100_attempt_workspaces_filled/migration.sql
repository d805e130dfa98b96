-- outside a transaction
-- Fills the column in steps of 10,000 deliveries, each of which is committed, so that no lock is held for long. If it is cut
-- short, the next run goes through the same steps again, and changes what is left.
DO $$
DECLARE
  "first" BIGINT := 0;
  "last" BIGINT;
BEGIN
  LOOP
    SELECT max("id") INTO "last" FROM (
      SELECT "id" FROM "webhook_deliveries" WHERE "id" > "first" ORDER BY "id" LIMIT 10000
    ) AS "step";
    EXIT WHEN "last" IS NULL;
    UPDATE "webhook_attempts" AS "attempt" SET "company_id" = "delivery"."company_id"
    FROM "webhook_deliveries" AS "delivery"
    WHERE "delivery"."id" > "first" AND "delivery"."id" <= "last"
      AND "attempt"."delivery_id" = "delivery"."id" AND "attempt"."company_id" IS NULL;
    COMMIT;
    "first" := "last";
  END LOOP;
END $$;

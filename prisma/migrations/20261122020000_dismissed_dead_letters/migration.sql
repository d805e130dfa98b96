-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN     "dismissed_at" TIMESTAMPTZ(3);

-- From here on: what Prisma's schema language cannot express.

-- The dead letters that await a decision: those that are counted, retried and dismissed. Test events never are. The status
-- endpoint, the gauge and the management calls name this condition in full, or the planner could not use the index.
CREATE INDEX "webhook_deliveries_open_dead_idx" ON "webhook_deliveries" ("company_id", "endpoint_id", "created_at", "id")
  WHERE "status" = 'dead' AND "dismissed_at" IS NULL AND "event_type" <> 'integration.ping';
DROP INDEX "webhook_deliveries_dead_idx";

-- Not validated, which would read the whole table: the column is new, so no row can violate it.
ALTER TABLE "webhook_deliveries"
  ADD CONSTRAINT "webhook_deliveries_dismissed_check" CHECK ("dismissed_at" IS NULL OR "status" = 'dead') NOT VALID;

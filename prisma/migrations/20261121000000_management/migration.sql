-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "removed_at" TIMESTAMPTZ(3),
ADD COLUMN     "settling" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN     "retry_requested" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "audit_records" (
    "company_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "user_id" INTEGER NOT NULL,
    "request_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "object_type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "details" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "audit_records_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "webhook_deliveries_company_id_endpoint_id_status_id_idx" ON "webhook_deliveries"("company_id", "endpoint_id", "status", "id");

-- AddForeignKey
ALTER TABLE "audit_records" ADD CONSTRAINT "audit_records_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- From here on: what Prisma's schema language cannot express.

-- Ids of the audit log are walked like those of the feeds: the same number of digits for all, and CACHE 1.
ALTER SEQUENCE "audit_records_id_seq" START WITH 1000000000000 RESTART CACHE 1;

-- The dead letters of an endpoint since a moment. Over all workspaces it is what the gauge of dead deliveries counts.
CREATE INDEX "webhook_deliveries_dead_idx" ON "webhook_deliveries" ("company_id", "endpoint_id", "created_at", "id")
  WHERE "status" = 'dead';
-- The ready deliveries of one endpoint, and the endpoints that have any: what the claim reads beyond those at their limit.
-- No other index has its columns in this order, so a walk in this order cannot be planned over one that holds every row.
CREATE INDEX "webhook_deliveries_ready_by_endpoint_idx" ON "webhook_deliveries" ("endpoint_id", "company_id", "id")
  WHERE "ready";
-- The claims that are out, by endpoint.
CREATE INDEX "webhook_deliveries_claimed_idx" ON "webhook_deliveries" ("company_id", "endpoint_id")
  WHERE "claim_token" IS NOT NULL;
-- The endpoints whose deliveries the dispatcher still has to move.
CREATE INDEX "webhook_endpoints_settling_idx" ON "webhook_endpoints" ("company_id", "id") WHERE "settling";
-- The endpoints that a workspace shows and counts.
CREATE INDEX "webhook_endpoints_present_idx" ON "webhook_endpoints" ("company_id", "id") WHERE "removed_at" IS NULL;

ALTER TABLE "webhook_deliveries"
  ADD CONSTRAINT "webhook_deliveries_retry_check" CHECK (NOT "retry_requested" OR "claim_token" IS NOT NULL);

ALTER TABLE "webhook_endpoints"
  ADD CONSTRAINT "webhook_endpoints_removed_check" CHECK ("removed_at" IS NULL OR NOT "enabled");

ALTER TABLE "audit_records"
  ADD CONSTRAINT "audit_records_details_check" CHECK (jsonb_typeof("details") = 'object');

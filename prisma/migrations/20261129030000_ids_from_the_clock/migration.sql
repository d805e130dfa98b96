-- The ids of the feeds are readings of the feed clock of their workspace, which the product gives with the rows. A sequence gives
-- the same ids again after a restore.
ALTER TABLE "engagement_events" ALTER COLUMN "id" DROP DEFAULT;
ALTER TABLE "engagement_views" ALTER COLUMN "id" DROP DEFAULT;
ALTER TABLE "webhook_deliveries" ALTER COLUMN "id" DROP DEFAULT;
ALTER TABLE "audit_records" ALTER COLUMN "id" DROP DEFAULT;
DROP SEQUENCE "engagement_events_id_seq", "engagement_views_id_seq", "webhook_deliveries_id_seq", "audit_records_id_seq";
-- No process that runs uses these indexes.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "webhook_deliveries_id_key", "audit_records_company_id_at_id_idx";
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "engagement_events_quarter_idx", "engagement_views_quarter_idx";

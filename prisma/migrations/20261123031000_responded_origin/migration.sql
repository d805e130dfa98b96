-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "responded_origin" TEXT;

-- Endpoints that have accepted a delivery have shown that they speak TLS. Their URL is the one that did, or it has changed
-- since; the next response corrects it then.
UPDATE "webhook_endpoints" SET "responded_origin" = lower(substring("url" FROM '^https://([^/?#]+)'))
WHERE "last_success_at" IS NOT NULL;

-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "ever_had_headers" BOOLEAN NOT NULL DEFAULT false;

-- few rows: a workspace has at most 100 endpoints, and few of them have headers
UPDATE "webhook_endpoints" SET "ever_had_headers" = true WHERE "headers_ciphertext" IS NOT NULL;

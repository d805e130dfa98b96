-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "failing_since" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "audit_records" ALTER COLUMN "user_id" DROP NOT NULL,
ALTER COLUMN "request_id" DROP NOT NULL;

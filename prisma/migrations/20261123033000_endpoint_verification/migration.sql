-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "awaiting_verification" BOOLEAN NOT NULL DEFAULT false;

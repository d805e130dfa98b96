-- AlterTable
ALTER TABLE "webhook_attempts" ADD COLUMN     "traceparent" TEXT;

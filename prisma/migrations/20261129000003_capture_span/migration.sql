-- AlterTable
ALTER TABLE "webhook_events" ADD COLUMN     "capture_span" TEXT;

-- AlterTable
-- The previous release reads the column only to show it, and shows null as it is.
-- squawk-ignore ban-drop-not-null
ALTER TABLE "webhook_attempts" ALTER COLUMN "duration_ms" DROP NOT NULL;

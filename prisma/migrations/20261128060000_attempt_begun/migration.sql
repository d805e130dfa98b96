-- Tells the claims that wait in the queue from the attempts that are in progress, for the gauge of due deliveries. A column with
-- a constant default is added without rewriting the table. Attempts that processes of the previous version begin count as
-- waiting until they end.

-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN     "attempt_begun" BOOLEAN NOT NULL DEFAULT false;

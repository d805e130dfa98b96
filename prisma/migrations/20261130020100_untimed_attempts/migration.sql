-- AlterTable
ALTER TABLE "attempt_counts" ADD COLUMN     "untimed" INTEGER NOT NULL DEFAULT 0;

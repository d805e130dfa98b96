-- CreateEnum
CREATE TYPE "count_width" AS ENUM ('minute', 'hour');

-- CreateTable
CREATE TABLE "attempt_counts" (
    "company_id" INTEGER NOT NULL,
    "endpoint_id" INTEGER NOT NULL,
    "width" "count_width" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "refused" INTEGER NOT NULL DEFAULT 0,
    "dead" INTEGER NOT NULL DEFAULT 0,
    "duration_ms" BIGINT NOT NULL DEFAULT 0,
    "slowest_ms" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "attempt_counts_pkey" PRIMARY KEY ("company_id","endpoint_id","width","at")
);

-- CreateIndex
CREATE INDEX "attempt_counts_width_at_idx" ON "attempt_counts"("width", "at");

-- AddForeignKey
ALTER TABLE "attempt_counts" ADD CONSTRAINT "attempt_counts_company_id_endpoint_id_fkey" FOREIGN KEY ("company_id", "endpoint_id") REFERENCES "webhook_endpoints"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- From here on: what Prisma's schema language cannot express.

-- The counts of the current minute and hour change with every group of outcomes, and no index has a column that changes. With
-- room left in each page, PostgreSQL writes the new version of the row next to the old one, and touches no index.
ALTER TABLE "attempt_counts" SET (fillfactor = 70);

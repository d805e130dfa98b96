-- CreateTable
CREATE TABLE "held_records" (
    "company_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "distribution_id" UUID NOT NULL,
    "record" TEXT NOT NULL,
    "held_at" TIMESTAMPTZ(3) NOT NULL,
    "problem" TEXT,

    CONSTRAINT "held_records_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "held_records_company_id_distribution_id_idx" ON "held_records"("company_id", "distribution_id");

-- CreateIndex
CREATE UNIQUE INDEX "held_records_company_id_kind_key_key" ON "held_records"("company_id", "kind", "key");

-- AddForeignKey
ALTER TABLE "held_records" ADD CONSTRAINT "held_records_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- CreateTable
CREATE TABLE "api_key_days" (
    "company_id" INTEGER NOT NULL,
    "api_key_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "requests" BIGINT NOT NULL DEFAULT 0,
    "refused" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "api_key_days_pkey" PRIMARY KEY ("company_id","api_key_id","day")
);

-- CreateIndex
CREATE INDEX "api_key_days_day_idx" ON "api_key_days"("day");

-- AddForeignKey
ALTER TABLE "api_key_days" ADD CONSTRAINT "api_key_days_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

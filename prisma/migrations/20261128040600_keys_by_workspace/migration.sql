-- These tables have a few rows for each workspace, so their keys are replaced at once.
ALTER TABLE "api_key_days" DROP CONSTRAINT "api_key_days_api_key_id_fkey";
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "api_keys_company_id_id_idx";
-- squawk-ignore constraint-missing-not-valid, adding-serial-primary-key-field
ALTER TABLE "api_keys" DROP CONSTRAINT "api_keys_pkey", ADD CONSTRAINT "api_keys_pkey" PRIMARY KEY ("company_id", "id");
ALTER TABLE "api_key_days" ADD CONSTRAINT "api_key_days_company_id_api_key_id_fkey"
  FOREIGN KEY ("company_id", "api_key_id") REFERENCES "api_keys"("company_id", "id")
  ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE "api_key_days" VALIDATE CONSTRAINT "api_key_days_company_id_api_key_id_fkey";

-- squawk-ignore constraint-missing-not-valid, adding-serial-primary-key-field
ALTER TABLE "endpoint_paces" DROP CONSTRAINT "endpoint_paces_pkey", ADD CONSTRAINT "endpoint_paces_pkey" PRIMARY KEY ("company_id", "endpoint_id");
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "endpoint_paces_company_id_endpoint_id_key";

-- Not validated yet, which would read the whole table under a lock that excludes everybody.
ALTER TABLE "webhook_attempts"
  ADD CONSTRAINT "webhook_attempts_company_id_present" CHECK ("company_id" IS NOT NULL) NOT VALID;
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_company_id_delivery_id_fkey"
  FOREIGN KEY ("company_id", "delivery_id") REFERENCES "webhook_deliveries"("company_id", "id")
  ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

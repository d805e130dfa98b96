-- Reads the table, and lets everybody else read and write it meanwhile.
ALTER TABLE "webhook_attempts" VALIDATE CONSTRAINT "webhook_attempts_company_id_present";
ALTER TABLE "webhook_attempts" VALIDATE CONSTRAINT "webhook_attempts_company_id_delivery_id_fkey";

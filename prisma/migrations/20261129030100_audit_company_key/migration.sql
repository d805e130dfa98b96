-- Reads the table, and lets everybody else read and write it meanwhile.
ALTER TABLE "audit_records" VALIDATE CONSTRAINT "audit_records_company_id_fkey";

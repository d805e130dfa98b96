-- outside a transaction
-- The audit log of one user.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_records_company_id_user_id_id_idx" ON "audit_records"("company_id", "user_id", "id");

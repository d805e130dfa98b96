-- outside a transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "webhook_attempts_key" ON "webhook_attempts" ("company_id", "delivery_id", "number");

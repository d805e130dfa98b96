-- outside a transaction
-- The dead letters that await a decision, by error: what is counted, retried and dismissed of one. It has the hash of the error,
-- because an error may be longer than an entry of an index. Deliveries that are not dead are not in it, so it costs a delivery
-- nothing until it dies.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_open_dead_by_error_idx"
  ON "webhook_deliveries" ("company_id", "endpoint_id", (hashtextextended(coalesce("last_error", ''), 0)), "created_at", "id")
  WHERE "status" = 'dead' AND "dismissed_at" IS NULL AND "event_type" <> 'integration.ping';

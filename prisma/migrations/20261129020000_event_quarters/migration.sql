-- outside a transaction
-- The first id of each quarter of an hour: where a walk in id order may begin within a day that has many rows. The index by day
-- stays, because a walk may have years of days ahead of it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "engagement_events_quarter_idx"
  ON "engagement_events" ("company_id", date_bin('15 minutes', "occurred_at", '1970-01-01 00:00:00+00'), "id");

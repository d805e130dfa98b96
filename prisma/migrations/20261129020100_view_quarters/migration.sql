-- outside a transaction
-- The same for views.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "engagement_views_quarter_idx"
  ON "engagement_views" ("company_id", date_bin('15 minutes', "started_at", '1970-01-01 00:00:00+00'), "id");

-- All deliveries of the queue and the log, each exactly once: one statement moves a delivery from one table to the other, and a
-- statement that reads this view sees one snapshot. The parts have no conditions, so the planner can flatten the view: a list in
-- id order merges an index scan of each table, and a filter by status excludes the table that cannot match.
CREATE OR REPLACE VIEW "deliveries" AS
SELECT "company_id", "id", "endpoint_id", "event_id", "event_type", 'pending'::"delivery_status" AS "status", "attempts", "created_at",
  "next_attempt_at", NULL::timestamptz(3) AS "delivered_at", "last_status_code", "last_error", NULL::timestamptz(3) AS "dismissed_at"
FROM "pending_deliveries"
UNION ALL
SELECT "company_id", "id", "endpoint_id", "event_id", "event_type", "status", "attempts", "created_at",
  NULL::timestamptz(3), "delivered_at", "last_status_code", "last_error", "dismissed_at"
FROM "webhook_deliveries";

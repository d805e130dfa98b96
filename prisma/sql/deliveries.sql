-- All deliveries of the queue and the log, each exactly once: a delivery moves from one table to the other in one statement, and a
-- statement that reads this view sees one snapshot. Neither part has a condition, so the planner sees through the view: a list in
-- the order of the ids merges a walk of an index of each table, and a filter by status leaves out the table that it cannot be in.
CREATE OR REPLACE VIEW "deliveries" AS
SELECT "company_id", "id", "endpoint_id", "event_id", "event_type", 'pending'::"delivery_status" AS "status", "attempts", "created_at",
  "next_attempt_at", NULL::timestamptz(3) AS "delivered_at", "last_status_code", "last_error", NULL::timestamptz(3) AS "dismissed_at"
FROM "pending_deliveries"
UNION ALL
SELECT "company_id", "id", "endpoint_id", "event_id", "event_type", "status", "attempts", "created_at",
  NULL::timestamptz(3), "delivered_at", "last_status_code", "last_error", "dismissed_at"
FROM "webhook_deliveries";

-- Each delivery leaves three dead versions of its row behind on its way, and an entry in the index of the ready queue, which claims have
-- to pass until the row is vacuumed. By default that happens when a fifth of the table is dead: at two million deliveries, after
-- 400,000 updates. Setting this locks out neither readers nor writers.
ALTER TABLE "webhook_deliveries" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- A few rows that change with every claim.
ALTER TABLE "ready_workspaces" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
-- Retention removes their rows a few at a time; what is free should be used again before the tables grow.
ALTER TABLE "webhook_attempts" SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE "webhook_events" SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE "webhook_delivery_subjects" SET (autovacuum_vacuum_scale_factor = 0.05);

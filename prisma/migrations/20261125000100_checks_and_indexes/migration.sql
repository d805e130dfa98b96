-- The value ranges and the indexes. The tables are new and empty, so no transaction waits for a lock or needs a concurrent build.
-- squawk-ignore-file require-concurrent-index-creation, constraint-missing-not-valid

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys"("key_hash");

-- CreateIndex
CREATE INDEX "rooms_company_id_last_activity_at_id_idx" ON "rooms"("company_id", "last_activity_at", "id");

-- CreateIndex
CREATE INDEX "rooms_company_id_status_last_activity_at_id_idx" ON "rooms"("company_id", "status", "last_activity_at", "id");

-- CreateIndex
CREATE INDEX "rooms_company_id_owner_id_idx" ON "rooms"("company_id", "owner_id");

-- CreateIndex
CREATE INDEX "calls_company_id_updated_at_id_idx" ON "calls"("company_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "calls_company_id_kind_updated_at_id_idx" ON "calls"("company_id", "kind", "updated_at", "id");

-- CreateIndex
CREATE INDEX "calls_company_id_room_id_updated_at_id_idx" ON "calls"("company_id", "room_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "calls_company_id_owner_id_idx" ON "calls"("company_id", "owner_id");

-- CreateIndex
CREATE INDEX "distributions_company_id_updated_at_id_idx" ON "distributions"("company_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "distributions_company_id_room_id_updated_at_id_idx" ON "distributions"("company_id", "room_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "distributions_company_id_call_id_updated_at_id_idx" ON "distributions"("company_id", "call_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "distributions_company_id_room_id_identity_idx" ON "distributions"("company_id", "room_id", "identity");

-- CreateIndex
CREATE INDEX "documents_company_id_updated_at_id_idx" ON "documents"("company_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "documents_company_id_room_id_updated_at_id_idx" ON "documents"("company_id", "room_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "engagement_events_company_id_buyer_space_id_id_idx" ON "engagement_events"("company_id", "buyer_space_id", "id");

-- CreateIndex
CREATE INDEX "engagement_events_company_id_demo_id_id_idx" ON "engagement_events"("company_id", "demo_id", "id");

-- CreateIndex
CREATE INDEX "engagement_events_company_id_type_id_idx" ON "engagement_events"("company_id", "type", "id");

-- CreateIndex
CREATE UNIQUE INDEX "engagement_events_company_id_source_key_key" ON "engagement_events"("company_id", "source", "key");

-- CreateIndex
CREATE INDEX "engagement_views_company_id_buyer_space_id_id_idx" ON "engagement_views"("company_id", "buyer_space_id", "id");

-- CreateIndex
CREATE INDEX "engagement_views_company_id_demo_id_id_idx" ON "engagement_views"("company_id", "demo_id", "id");

-- CreateIndex
CREATE INDEX "engagement_views_company_id_distribution_id_id_idx" ON "engagement_views"("company_id", "distribution_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "engagement_views_company_id_key_key" ON "engagement_views"("company_id", "key");

-- CreateIndex
CREATE INDEX "action_items_company_id_room_id_idx" ON "action_items"("company_id", "room_id");

-- CreateIndex
CREATE INDEX "messages_company_id_room_id_idx" ON "messages"("company_id", "room_id");

-- CreateIndex
CREATE INDEX "esign_documents_company_id_updated_at_id_idx" ON "esign_documents"("company_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "esign_documents_company_id_room_id_updated_at_id_idx" ON "esign_documents"("company_id", "room_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "people_company_id_updated_at_id_idx" ON "people"("company_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "people_company_id_room_id_updated_at_id_idx" ON "people"("company_id", "room_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "people_company_id_identity_idx" ON "people"("company_id", "identity");

-- CreateIndex
CREATE UNIQUE INDEX "people_company_id_room_id_identity_key" ON "people"("company_id", "room_id", "identity");

-- CreateIndex
CREATE INDEX "search_names_company_id_kind_name_idx" ON "search_names" USING GIN ("company_id", "kind", "name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "room_people_company_id_identity_idx" ON "room_people"("company_id", "identity");

-- CreateIndex
CREATE INDEX "erasures_company_id_erased_at_id_idx" ON "erasures"("company_id", "erased_at", "id");

-- CreateIndex
CREATE INDEX "room_watches_company_id_demo_id_distribution_id_idx" ON "room_watches"("company_id", "demo_id", "distribution_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_company_id_endpoint_id_status_id_idx" ON "webhook_deliveries"("company_id", "endpoint_id", "status", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_company_id_status_id_idx" ON "webhook_deliveries"("company_id", "status", "id");

-- CreateIndex
CREATE INDEX "workspace_queue_company_id_idx" ON "workspace_queue"("company_id");

-- CreateIndex
CREATE INDEX "attempt_counts_width_at_idx" ON "attempt_counts"("width", "at");

-- CreateIndex
CREATE INDEX "api_key_days_day_idx" ON "api_key_days"("day");

-- CreateIndex
CREATE INDEX "audit_records_company_id_action_id_idx" ON "audit_records"("company_id", "action", "id");

-- CreateIndex
CREATE INDEX "audit_records_company_id_user_id_id_idx" ON "audit_records"("company_id", "user_id", "id");

-- CreateIndex
CREATE INDEX "audit_records_company_id_object_type_object_id_id_idx" ON "audit_records"("company_id", "object_type", "object_id", "id");

-- The rest cannot be expressed in Prisma's schema language.

-- The call feed, filtered to calls with a summary, of all kinds and of one kind.
CREATE INDEX "calls_with_summary_idx" ON "calls" ("company_id", "updated_at", "id") WHERE "status" = 'completed' AND "summary" IS NOT NULL;
CREATE INDEX "calls_of_kind_with_summary_idx" ON "calls" ("company_id", "kind", "updated_at", "id")
  WHERE "status" = 'completed' AND "summary" IS NOT NULL;

-- The queue is often empty, and in an empty table all indexes cost the same. So each index except the primary key is partial. A
-- statement that looks up a delivery by its key does not contain the condition, so the primary key is the only index that it can
-- use. See docs/decisions/22-plans-that-are-kept.md.

-- The pending deliveries of an endpoint. The condition is true for all rows, and any comparison with an endpoint implies it.
CREATE INDEX "pending_deliveries_endpoint_idx" ON "pending_deliveries" ("company_id", "endpoint_id", "id")
  WHERE "endpoint_id" IS NOT NULL;
-- The ready deliveries of a workspace, endpoint by endpoint, in claim order. No other index begins with this column, so the
-- planner cannot use an index in this order that also contains rows that are not ready.
CREATE INDEX "pending_deliveries_ready_idx" ON "pending_deliveries" ("requeued", "company_id", "endpoint_id", "id") WHERE "ready";
-- Deliveries that become ready at a known time: when a wait of the schedule or the lease of a silent worker ends. Deliveries on
-- hold have no such time and are counted at the end of the index.
CREATE INDEX "pending_deliveries_waiting_idx" ON "pending_deliveries" ((coalesce("lease_expires_at", "next_attempt_at"))) WHERE NOT "ready";
-- The current claims, by endpoint. Each has a token and a lease. The condition names the lease, because claims are looked up by
-- their token.
CREATE INDEX "pending_deliveries_claimed_idx" ON "pending_deliveries" ("company_id", "endpoint_id")
  WHERE "lease_expires_at" IS NOT NULL;
-- The endpoints to which an event is fanned out.
CREATE INDEX "webhook_endpoints_enabled_idx" ON "webhook_endpoints" ("company_id", "id") WHERE "enabled";
-- The endpoints whose deliveries the dispatcher is reconciling.
CREATE INDEX "webhook_endpoints_reconciling_idx" ON "webhook_endpoints" ("company_id", "id") WHERE "reconciled_to" IS NOT NULL;
-- The endpoints that a workspace lists and counts.
CREATE INDEX "webhook_endpoints_present_idx" ON "webhook_endpoints" ("company_id", "id") WHERE "removed_at" IS NULL;
-- The alerts of channels and those of the operator, so that a backlog of one delays no claim of the other.
CREATE INDEX "alerts_of_channels_due_idx" ON "alerts" ("due_at") WHERE "channel_id" <> 0;
CREATE INDEX "alerts_of_operator_due_idx" ON "alerts" ("due_at") WHERE "channel_id" = 0;
-- The claimed alerts, by channel.
CREATE INDEX "alerts_claimed_idx" ON "alerts" ("company_id", "channel_id") WHERE "claim_token" IS NOT NULL;
-- The dead letters that await a decision: they are counted, retried and dismissed. Test events never are. The status endpoint,
-- the gauge and the management calls repeat this condition in full, because otherwise the planner could not use the index.
CREATE INDEX "webhook_deliveries_open_dead_idx" ON "webhook_deliveries" ("company_id", "endpoint_id", "created_at", "id")
  WHERE "status" = 'dead' AND "dismissed_at" IS NULL AND "event_type" <> 'integration.ping';
-- The dead letters that await a decision, by error, for counting, retrying and dismissing those with one error. It contains the
-- hash of the error, because an error may be longer than an index entry. Deliveries that are not dead are not in it, so it costs
-- nothing until a delivery dies.
CREATE INDEX "webhook_deliveries_open_dead_by_error_idx"
  ON "webhook_deliveries" ("company_id", "endpoint_id", (hashtextextended(coalesce("last_error", ''), 0)), "created_at", "id")
  WHERE "status" = 'dead' AND "dismissed_at" IS NULL AND "event_type" <> 'integration.ping';

ALTER TABLE "pending_deliveries"
  ADD CONSTRAINT "pending_deliveries_ready_check" CHECK (NOT "ready" OR ("next_attempt_at" IS NOT NULL AND "claim_token" IS NULL)),
  ADD CONSTRAINT "pending_deliveries_claim_check" CHECK (("claim_token" IS NULL) = ("lease_expires_at" IS NULL)),
  ADD CONSTRAINT "pending_deliveries_attempts_check" CHECK ("attempts" >= 0),
  ADD CONSTRAINT "pending_deliveries_retry_check" CHECK ("retry_requested_at" IS NULL OR "claim_token" IS NOT NULL);

ALTER TABLE "webhook_deliveries"
  ADD CONSTRAINT "webhook_deliveries_status_check" CHECK ("status" <> 'pending'),
  ADD CONSTRAINT "webhook_deliveries_delivered_check" CHECK (("status" = 'delivered') = ("delivered_at" IS NOT NULL)),
  ADD CONSTRAINT "webhook_deliveries_dismissed_check" CHECK ("dismissed_at" IS NULL OR "status" = 'dead');

ALTER TABLE "dispatcher" ADD CONSTRAINT "dispatcher_one_row_check" CHECK ("id");

ALTER TABLE "webhook_endpoints"
  ADD CONSTRAINT "webhook_endpoints_failures_check" CHECK ("consecutive_failures" >= 0),
  ADD CONSTRAINT "webhook_endpoints_reason_check" CHECK (NOT "enabled" OR "disabled_reason" IS NULL),
  ADD CONSTRAINT "webhook_endpoints_events_check" CHECK (cardinality("events") > 0),
  ADD CONSTRAINT "webhook_endpoints_filter_check" CHECK (json_typeof("filter") = 'object'),
  ADD CONSTRAINT "webhook_endpoints_removed_check" CHECK ("removed_at" IS NULL OR NOT "enabled"),
  ADD CONSTRAINT "webhook_endpoints_previous_secret_check"
    CHECK (("previous_secret_ciphertext" IS NULL) = ("previous_secret_until" IS NULL)),
  ADD CONSTRAINT "webhook_endpoints_headers_check"
    CHECK (("headers_ciphertext" IS NULL) = (cardinality("header_names") = 0) AND cardinality("header_names") <= 10);

ALTER TABLE "endpoint_rate_limits"
  ADD CONSTRAINT "endpoint_rate_limits_max_per_minute_check" CHECK ("max_per_minute" >= 1),
  ADD CONSTRAINT "endpoint_rate_limits_claimed_check" CHECK (cardinality("claimed_at") = cardinality("claimed"));

ALTER TABLE "alert_channels"
  ADD CONSTRAINT "alert_channels_kind_check" CHECK ("kind" IN ('slack', 'teams', 'webhook')),
  ADD CONSTRAINT "alert_channels_events_check" CHECK (cardinality("events") > 0);

ALTER TABLE "alerts" ADD CONSTRAINT "alerts_count_check" CHECK ("count" >= 0);

ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_name_check" CHECK (char_length("name") BETWEEN 1 AND 120);

ALTER TABLE "calls" ADD CONSTRAINT "calls_duration_check" CHECK ("duration_seconds" >= 0);

ALTER TABLE "engagement_events"
  ADD CONSTRAINT "engagement_events_metadata_check" CHECK (json_typeof("metadata") = 'object');

ALTER TABLE "engagement_views"
  ADD CONSTRAINT "engagement_views_kind_check" CHECK (("kind" = 'document') = ("doc_id" IS NOT NULL)),
  ADD CONSTRAINT "engagement_views_seconds_check"
    CHECK ("watch_seconds" >= 0 AND "unique_seconds" >= 0 AND "duration_seconds" >= 0),
  ADD CONSTRAINT "engagement_views_completion_check" CHECK ("completion_percent" BETWEEN 0 AND 100),
  ADD CONSTRAINT "engagement_views_span_check" CHECK ("ended_at" >= "started_at");

ALTER TABLE "action_items"
  ADD CONSTRAINT "action_items_completed_check" CHECK ("completed_by" IS NULL OR "completed_at" IS NOT NULL);

ALTER TABLE "esign_documents" ADD CONSTRAINT "esign_documents_recipients_check" CHECK ("recipient_count" >= 0);

ALTER TABLE "audit_records"
  ADD CONSTRAINT "audit_records_details_check" CHECK (jsonb_typeof("details") = 'object');

-- 1: a room, 2: a call, 3: a person.
ALTER TABLE "search_names" ADD CONSTRAINT "search_names_kind_check" CHECK ("kind" BETWEEN 1 AND 3);

ALTER TABLE "erasure_runs" ADD CONSTRAINT "erasure_runs_room_check" CHECK (("kind" = 'room') = ("room_id" IS NOT NULL));

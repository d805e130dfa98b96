-- All tables, with their keys. Prisma's schema language cannot express the collation "C" of some columns. These columns need only
-- equality and any fixed order.

-- For the index of names: see docs/decisions/18-names-to-search-and-why-never-guesses.md. Both extensions are trusted, so any
-- role that may create objects in the database may create them.
CREATE EXTENSION IF NOT EXISTS "pg_trgm";
CREATE EXTENSION IF NOT EXISTS "btree_gin";

-- CreateEnum
CREATE TYPE "room_status" AS ENUM ('open', 'won', 'lost', 'dormant');

-- CreateEnum
CREATE TYPE "call_kind" AS ENUM ('demo', 'qualifying_call', 'meeting');

-- CreateEnum
CREATE TYPE "call_status" AS ENUM ('processing', 'completed', 'failed');

-- CreateEnum
CREATE TYPE "view_kind" AS ENUM ('trailer', 'document');

-- CreateEnum
CREATE TYPE "side" AS ENUM ('prospect', 'seller');

-- CreateEnum
CREATE TYPE "esign_status" AS ENUM ('sent', 'delivered', 'viewed', 'signed_partial', 'completed', 'declined', 'voided');

-- CreateEnum
CREATE TYPE "delivery_status" AS ENUM ('pending', 'delivered', 'dead');

-- CreateEnum
CREATE TYPE "count_width" AS ENUM ('minute', 'hour', 'day');

-- CreateEnum
CREATE TYPE "event_source" AS ENUM ('event', 'message');

-- CreateEnum
CREATE TYPE "delivery_subject_kind" AS ENUM ('event', 'type', 'room', 'call', 'person');

-- CreateEnum
CREATE TYPE "erasure_kind" AS ENUM ('person', 'room');

-- CreateTable
CREATE TABLE "companies" (
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "api_enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "companies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "feed_clocks" (
    "company_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_clocks_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "users" (
    "company_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "created_by_user_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "allowed_networks" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "rotated_at" TIMESTAMPTZ(3),
    "origin_id" INTEGER,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "rooms" (
    "company_id" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT,
    "status" "room_status" NOT NULL DEFAULT 'open',
    "owner_id" INTEGER,
    "primary_contact_email" TEXT,
    "expected_close_date" DATE,
    "deal_value_cents" BIGINT,
    "source_call_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_activity_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "object_text" TEXT NOT NULL,

    CONSTRAINT "rooms_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "room_members" (
    "company_id" INTEGER NOT NULL,
    "room_id" UUID NOT NULL,
    "identity" TEXT COLLATE "C" NOT NULL,
    "email" TEXT,
    "name" TEXT,
    "role" TEXT,
    "title" TEXT,

    CONSTRAINT "room_members_pkey" PRIMARY KEY ("company_id","room_id","identity")
);

-- CreateTable
CREATE TABLE "calls" (
    "company_id" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "kind" "call_kind" NOT NULL,
    "status" "call_status" NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),
    "owner_id" INTEGER NOT NULL,
    "title" TEXT,
    "prospect_name" TEXT,
    "duration_seconds" INTEGER,
    "room_id" UUID,
    "participants" JSON NOT NULL DEFAULT '[]',
    "talk_time" JSON,
    "summary" JSON,
    "disqualified_at" TIMESTAMPTZ(3),
    "disqualified_reason" TEXT,
    "object_text" TEXT NOT NULL,

    CONSTRAINT "calls_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "distributions" (
    "company_id" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "room_id" UUID NOT NULL,
    "call_id" UUID,
    "identity" TEXT COLLATE "C" NOT NULL,
    "recipient_name" TEXT,
    "recipient_email" TEXT,
    "forwarded_from_distribution_id" UUID,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "distributions_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "documents" (
    "company_id" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "room_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "uploaded_by_prospect" BOOLEAN NOT NULL DEFAULT false,
    "library_asset_id" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "documents_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "engagement_events" (
    "company_id" INTEGER NOT NULL,
    "id" BIGINT NOT NULL,
    "source" "event_source" NOT NULL,
    "key" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "identity" TEXT COLLATE "C",
    "actor_name" TEXT,
    "actor_email" TEXT,
    "person_id" UUID,
    "metadata" JSON NOT NULL DEFAULT '{}',
    "demo_id" UUID,
    "demo_title" TEXT,
    "distribution_id" UUID,
    "forwarded_from_distribution_id" UUID,
    "buyer_space_id" UUID NOT NULL,
    "buyer_space_name" TEXT,
    "owner_id" INTEGER,
    "owner_name" TEXT,
    "owner_email" TEXT,
    "doc_id" UUID,
    "object_text" TEXT NOT NULL,

    CONSTRAINT "engagement_events_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "engagement_views" (
    "company_id" INTEGER NOT NULL,
    "id" BIGINT NOT NULL,
    "key" TEXT NOT NULL,
    "kind" "view_kind" NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,
    "identity" TEXT COLLATE "C" NOT NULL,
    "actor_name" TEXT,
    "actor_email" TEXT,
    "person_id" UUID,
    "distribution_id" UUID NOT NULL,
    "forwarded_from_distribution_id" UUID,
    "demo_id" UUID,
    "demo_title" TEXT,
    "doc_id" UUID,
    "buyer_space_id" UUID NOT NULL,
    "buyer_space_name" TEXT,
    "owner_id" INTEGER,
    "owner_name" TEXT,
    "owner_email" TEXT,
    "watch_seconds" INTEGER NOT NULL,
    "unique_seconds" INTEGER,
    "duration_seconds" INTEGER,
    "completion_percent" INTEGER,
    "segments" JSONB NOT NULL DEFAULT '[]',
    "object_text" TEXT NOT NULL,

    CONSTRAINT "engagement_views_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "action_items" (
    "company_id" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "room_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "due_date" DATE,
    "completed_at" TIMESTAMPTZ(3),
    "completed_by" "side",

    CONSTRAINT "action_items_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "messages" (
    "company_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "room_id" UUID NOT NULL,
    "side" "side" NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,
    "distribution_id" UUID,
    "text" TEXT,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("company_id","key")
);

-- CreateTable
CREATE TABLE "esign_documents" (
    "company_id" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "room_id" UUID NOT NULL,
    "vendor" TEXT NOT NULL,
    "envelope_id" TEXT NOT NULL,
    "subject" TEXT,
    "status" "esign_status" NOT NULL,
    "recipient_count" INTEGER,
    "sent_at" TIMESTAMPTZ(3),
    "first_viewed_at" TIMESTAMPTZ(3),
    "last_event_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "declined_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "esign_documents_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "people" (
    "company_id" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "room_id" UUID NOT NULL,
    "identity" TEXT COLLATE "C" NOT NULL,
    "email" TEXT,
    "name" TEXT,
    "role" TEXT,
    "title" TEXT,
    "in_committee" BOOLEAN NOT NULL,
    "removed_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "people_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "search_names" (
    "company_id" INTEGER NOT NULL,
    "kind" SMALLINT NOT NULL,
    "object_id" UUID NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "search_names_pkey" PRIMARY KEY ("company_id","kind","object_id")
);

-- CreateTable
CREATE TABLE "room_totals" (
    "company_id" INTEGER NOT NULL,
    "room_id" UUID NOT NULL,
    "events" INTEGER NOT NULL DEFAULT 0,
    "trailer_views" INTEGER NOT NULL DEFAULT 0,
    "watch_ms" BIGINT NOT NULL DEFAULT 0,
    "last_activity_at" TIMESTAMPTZ(3),
    "prospect_messages" INTEGER NOT NULL DEFAULT 0,
    "seller_messages" INTEGER NOT NULL DEFAULT 0,
    "last_message_at" TIMESTAMPTZ(3),

    CONSTRAINT "room_totals_pkey" PRIMARY KEY ("company_id","room_id")
);

-- CreateTable
CREATE TABLE "room_people" (
    "company_id" INTEGER NOT NULL,
    "room_id" UUID NOT NULL,
    "identity" TEXT COLLATE "C" NOT NULL,
    "name" TEXT,
    "links" INTEGER NOT NULL DEFAULT 0,
    "trailer_views" INTEGER NOT NULL DEFAULT 0,
    "trailer_completes" INTEGER NOT NULL DEFAULT 0,
    "room_visits" INTEGER NOT NULL DEFAULT 0,
    "doc_opens" INTEGER NOT NULL DEFAULT 0,
    "docs_opened" INTEGER NOT NULL DEFAULT 0,
    "map_checkoffs" INTEGER NOT NULL DEFAULT 0,
    "comments" INTEGER NOT NULL DEFAULT 0,
    "messages" INTEGER NOT NULL DEFAULT 0,
    "forwards" INTEGER NOT NULL DEFAULT 0,
    "watch_ms" BIGINT NOT NULL DEFAULT 0,
    "last_activity_at" TIMESTAMPTZ(3),

    CONSTRAINT "room_people_pkey" PRIMARY KEY ("company_id","room_id","identity")
);

-- CreateTable
CREATE TABLE "room_watches" (
    "company_id" INTEGER NOT NULL,
    "room_id" UUID NOT NULL,
    "demo_id" UUID NOT NULL,
    "distribution_id" UUID NOT NULL,
    "identity" TEXT COLLATE "C" NOT NULL,
    "addressed" BOOLEAN NOT NULL DEFAULT false,
    "views" INTEGER NOT NULL DEFAULT 0,
    "watch_ms" BIGINT NOT NULL DEFAULT 0,
    "played" int8multirange NOT NULL DEFAULT '{}'::int8multirange,
    "distinct_ms" BIGINT NOT NULL DEFAULT 0,
    "last_viewed_at" TIMESTAMPTZ(3),

    CONSTRAINT "room_watches_pkey" PRIMARY KEY ("company_id","room_id","identity","demo_id","distribution_id")
);

-- CreateTable
CREATE TABLE "room_readings" (
    "company_id" INTEGER NOT NULL,
    "room_id" UUID NOT NULL,
    "doc_id" UUID NOT NULL,
    "distribution_id" UUID NOT NULL,
    "identity" TEXT COLLATE "C" NOT NULL,
    "email" TEXT,
    "name" TEXT,
    "seconds" BIGINT NOT NULL,
    "sessions" INTEGER NOT NULL,
    "last_viewed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "room_readings_pkey" PRIMARY KEY ("company_id","room_id","identity","doc_id","distribution_id")
);

-- CreateTable
CREATE TABLE "room_document_opens" (
    "company_id" INTEGER NOT NULL,
    "room_id" UUID NOT NULL,
    "doc_id" UUID NOT NULL,
    "opens" INTEGER NOT NULL,

    CONSTRAINT "room_document_opens_pkey" PRIMARY KEY ("company_id","room_id","doc_id")
);

-- CreateTable
CREATE TABLE "room_document_openers" (
    "company_id" INTEGER NOT NULL,
    "room_id" UUID NOT NULL,
    "doc_id" UUID NOT NULL,
    "identity" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "room_document_openers_pkey" PRIMARY KEY ("company_id","room_id","identity","doc_id")
);

-- CreateTable
CREATE TABLE "link_heatmaps" (
    "company_id" INTEGER NOT NULL,
    "distribution_id" UUID NOT NULL,
    "demo_id" UUID NOT NULL,
    "play_steps" INTEGER[],
    "visit_steps" INTEGER[],

    CONSTRAINT "link_heatmaps_pkey" PRIMARY KEY ("company_id","distribution_id","demo_id")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "events" TEXT[],
    "filter" JSON,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "secret_ciphertext" BYTEA NOT NULL,
    "previous_secret_ciphertext" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(3),
    "header_names" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "headers_ciphertext" BYTEA,
    "ever_had_headers" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_success_at" TIMESTAMPTZ(3),
    "last_error_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "removed_at" TIMESTAMPTZ(3),
    "responded_origin" TEXT,
    "reconciled_to" BIGINT,
    "suspended" BOOLEAN NOT NULL DEFAULT false,
    "awaiting_verification" BOOLEAN NOT NULL DEFAULT false,
    "honor_retry_after" BOOLEAN NOT NULL DEFAULT false,
    "alert_level" INTEGER NOT NULL DEFAULT 0,
    "owner_key_id" INTEGER,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "endpoint_rate_limits" (
    "company_id" INTEGER NOT NULL,
    "endpoint_id" INTEGER NOT NULL,
    "max_per_minute" INTEGER NOT NULL,
    "claimed_at" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[],
    "claimed" INTEGER[] DEFAULT ARRAY[]::INTEGER[],

    CONSTRAINT "endpoint_rate_limits_pkey" PRIMARY KEY ("company_id","endpoint_id")
);

-- CreateTable
CREATE TABLE "alert_channels" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "target_ciphertext" BYTEA NOT NULL,
    "events" TEXT[],
    "description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_sent_at" TIMESTAMPTZ(3),
    "last_error_at" TIMESTAMPTZ(3),
    "last_error" TEXT,

    CONSTRAINT "alert_channels_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "alerts" (
    "company_id" INTEGER NOT NULL,
    "channel_id" INTEGER NOT NULL,
    "endpoint_id" INTEGER NOT NULL,
    "event" TEXT NOT NULL,
    "message_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "count" INTEGER NOT NULL,
    "consecutive_failures" INTEGER NOT NULL,
    "last_error" TEXT,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "claim_token" UUID,

    CONSTRAINT "alerts_pkey" PRIMARY KEY ("company_id","channel_id","endpoint_id","event")
);

-- CreateTable
CREATE TABLE "webhook_events" (
    "company_id" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "body" TEXT NOT NULL,
    "trace_id" UUID,
    "capture_span" TEXT,
    "buyer_space_id" UUID,
    "call_id" UUID,
    "identity" TEXT COLLATE "C",

    CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "pending_deliveries" (
    "company_id" INTEGER NOT NULL,
    "id" BIGINT NOT NULL,
    "endpoint_id" INTEGER NOT NULL,
    "event_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3),
    "last_status_code" INTEGER,
    "last_error" TEXT,
    "ready" BOOLEAN NOT NULL DEFAULT true,
    "claim_token" UUID,
    "lease_expires_at" TIMESTAMPTZ(3),
    "retry_requested_at" TIMESTAMPTZ(6),
    "requeued" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "pending_deliveries_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "company_id" INTEGER NOT NULL,
    "id" BIGINT NOT NULL,
    "endpoint_id" INTEGER NOT NULL,
    "event_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "status" "delivery_status" NOT NULL,
    "attempts" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "delivered_at" TIMESTAMPTZ(3),
    "last_status_code" INTEGER,
    "last_error" TEXT,
    "dismissed_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "webhook_delivery_subjects" (
    "company_id" INTEGER NOT NULL,
    "kind" "delivery_subject_kind" NOT NULL,
    "subject" UUID NOT NULL,
    "first_delivery_id" BIGINT NOT NULL,
    "deliveries" INTEGER NOT NULL,

    CONSTRAINT "webhook_delivery_subjects_pkey" PRIMARY KEY ("company_id","kind","subject","first_delivery_id")
);

-- CreateTable
CREATE TABLE "workspace_queue" (
    "position" BIGSERIAL NOT NULL,
    "company_id" INTEGER NOT NULL,

    CONSTRAINT "workspace_queue_pkey" PRIMARY KEY ("position")
);

-- CreateTable
CREATE TABLE "dispatcher" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "ticked_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "dispatcher_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "company_id" INTEGER NOT NULL,
    "delivery_id" BIGINT NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER,
    "status_code" INTEGER,
    "error" TEXT,
    "response_excerpt" TEXT,
    "retry_after_seconds" INTEGER,
    "traceparent" TEXT,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("company_id","delivery_id","number")
);

-- CreateTable
CREATE TABLE "attempt_counts" (
    "company_id" INTEGER NOT NULL,
    "endpoint_id" INTEGER NOT NULL,
    "width" "count_width" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "not_sent" INTEGER NOT NULL DEFAULT 0,
    "dead" INTEGER NOT NULL DEFAULT 0,
    "untimed" INTEGER NOT NULL DEFAULT 0,
    "duration_ms" BIGINT NOT NULL DEFAULT 0,
    "slowest_ms" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "attempt_counts_pkey" PRIMARY KEY ("company_id","endpoint_id","width","at")
);

-- CreateTable
CREATE TABLE "api_key_days" (
    "company_id" INTEGER NOT NULL,
    "api_key_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "requests" BIGINT NOT NULL DEFAULT 0,
    "refused" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "api_key_days_pkey" PRIMARY KEY ("company_id","api_key_id","day")
);

-- CreateTable
CREATE TABLE "audit_records" (
    "company_id" INTEGER NOT NULL,
    "id" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "user_id" INTEGER,
    "api_key_id" INTEGER,
    "request_id" TEXT,
    "server_request_id" TEXT,
    "ip_address" TEXT,
    "action" TEXT NOT NULL,
    "object_type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "details" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "audit_records_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "erasure_runs" (
    "company_id" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "kind" "erasure_kind" NOT NULL,
    "room_id" UUID,
    "email" TEXT,
    "names" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "identity" TEXT COLLATE "C",
    "person_ids" UUID[],
    "distribution_ids" UUID[],
    "event_end" BIGINT NOT NULL,
    "view_end" BIGINT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "stage" TEXT NOT NULL,
    "after" TEXT,
    "event_ids" BIGINT[] DEFAULT ARRAY[]::BIGINT[],
    "view_ids" BIGINT[] DEFAULT ARRAY[]::BIGINT[],
    "claims" UUID[] DEFAULT ARRAY[]::UUID[],
    "people" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity'::timestamptz,

    CONSTRAINT "erasure_runs_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "erasure_turns" (
    "company_id" INTEGER NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "erasure_turns_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "erasures" (
    "company_id" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "erased_at" TIMESTAMPTZ(3) NOT NULL,
    "object_text" TEXT NOT NULL,
    "people" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "erasures_pkey" PRIMARY KEY ("company_id","id")
);

-- AddForeignKey
ALTER TABLE "feed_clocks" ADD CONSTRAINT "feed_clocks_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_company_id_owner_id_fkey" FOREIGN KEY ("company_id", "owner_id") REFERENCES "users"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_company_id_source_call_id_fkey" FOREIGN KEY ("company_id", "source_call_id") REFERENCES "calls"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_members" ADD CONSTRAINT "room_members_company_id_room_id_fkey" FOREIGN KEY ("company_id", "room_id") REFERENCES "rooms"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calls" ADD CONSTRAINT "calls_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calls" ADD CONSTRAINT "calls_company_id_owner_id_fkey" FOREIGN KEY ("company_id", "owner_id") REFERENCES "users"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calls" ADD CONSTRAINT "calls_company_id_room_id_fkey" FOREIGN KEY ("company_id", "room_id") REFERENCES "rooms"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "distributions" ADD CONSTRAINT "distributions_company_id_room_id_fkey" FOREIGN KEY ("company_id", "room_id") REFERENCES "rooms"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "distributions" ADD CONSTRAINT "distributions_company_id_call_id_fkey" FOREIGN KEY ("company_id", "call_id") REFERENCES "calls"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "distributions" ADD CONSTRAINT "distributions_company_id_forwarded_from_distribution_id_fkey" FOREIGN KEY ("company_id", "forwarded_from_distribution_id") REFERENCES "distributions"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_company_id_room_id_fkey" FOREIGN KEY ("company_id", "room_id") REFERENCES "rooms"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "action_items" ADD CONSTRAINT "action_items_company_id_room_id_fkey" FOREIGN KEY ("company_id", "room_id") REFERENCES "rooms"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "esign_documents" ADD CONSTRAINT "esign_documents_company_id_room_id_fkey" FOREIGN KEY ("company_id", "room_id") REFERENCES "rooms"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "people" ADD CONSTRAINT "people_company_id_room_id_fkey" FOREIGN KEY ("company_id", "room_id") REFERENCES "rooms"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_totals" ADD CONSTRAINT "room_totals_company_id_room_id_fkey" FOREIGN KEY ("company_id", "room_id") REFERENCES "rooms"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_people" ADD CONSTRAINT "room_people_company_id_room_id_fkey" FOREIGN KEY ("company_id", "room_id") REFERENCES "rooms"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_watches" ADD CONSTRAINT "room_watches_company_id_room_id_fkey" FOREIGN KEY ("company_id", "room_id") REFERENCES "rooms"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_readings" ADD CONSTRAINT "room_readings_company_id_room_id_fkey" FOREIGN KEY ("company_id", "room_id") REFERENCES "rooms"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_document_opens" ADD CONSTRAINT "room_document_opens_company_id_room_id_fkey" FOREIGN KEY ("company_id", "room_id") REFERENCES "rooms"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_document_openers" ADD CONSTRAINT "room_document_openers_company_id_room_id_fkey" FOREIGN KEY ("company_id", "room_id") REFERENCES "rooms"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_heatmaps" ADD CONSTRAINT "link_heatmaps_company_id_distribution_id_fkey" FOREIGN KEY ("company_id", "distribution_id") REFERENCES "distributions"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "endpoint_rate_limits" ADD CONSTRAINT "endpoint_rate_limits_company_id_endpoint_id_fkey" FOREIGN KEY ("company_id", "endpoint_id") REFERENCES "webhook_endpoints"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_channels" ADD CONSTRAINT "alert_channels_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempt_counts" ADD CONSTRAINT "attempt_counts_company_id_endpoint_id_fkey" FOREIGN KEY ("company_id", "endpoint_id") REFERENCES "webhook_endpoints"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key_days" ADD CONSTRAINT "api_key_days_company_id_api_key_id_fkey" FOREIGN KEY ("company_id", "api_key_id") REFERENCES "api_keys"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_records" ADD CONSTRAINT "audit_records_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- The rest cannot be expressed in Prisma's schema language.

-- Every page reads the texts, while the JSON columns that they were built from are rarely read. So when a row exceeds 2 KB, the
-- JSON columns are compressed and moved out of the row first.
ALTER TABLE "engagement_events" ALTER COLUMN "object_text" SET STORAGE MAIN;
ALTER TABLE "engagement_views" ALTER COLUMN "object_text" SET STORAGE MAIN;
ALTER TABLE "calls" ALTER COLUMN "object_text" SET STORAGE MAIN;
ALTER TABLE "rooms" ALTER COLUMN "object_text" SET STORAGE MAIN;

-- lz4 decompresses several times as fast as the default, but a server may be built without it.
DO $$ BEGIN
  ALTER TABLE "engagement_events" ALTER COLUMN "object_text" SET COMPRESSION lz4;
  ALTER TABLE "engagement_views" ALTER COLUMN "object_text" SET COMPRESSION lz4;
  ALTER TABLE "calls" ALTER COLUMN "object_text" SET COMPRESSION lz4;
  ALTER TABLE "rooms" ALTER COLUMN "object_text" SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;

-- The counts of the current minute and hour change with every batch of outcomes. No index contains a changing column, so with
-- free space in each page, PostgreSQL writes the new row version into the same page and updates no index.
ALTER TABLE "attempt_counts" SET (fillfactor = 70);

-- Each delivery leaves two dead versions of its row in the queue, and index entries that claims must pass until the table is
-- vacuumed. By default, vacuuming starts when a fifth of the rows are dead, which is far too late for a backlog of a million.
ALTER TABLE "pending_deliveries" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- A few rows that change with every claim.
ALTER TABLE "workspace_queue" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
-- Retention removes rows of these tables in small batches. Frequent vacuuming reuses the free space before the tables grow.
ALTER TABLE "webhook_attempts" SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE "webhook_events" SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE "webhook_delivery_subjects" SET (autovacuum_vacuum_scale_factor = 0.05);

-- AddForeignKey
ALTER TABLE "erasure_runs" ADD CONSTRAINT "erasure_runs_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "erasure_turns" ADD CONSTRAINT "erasure_turns_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

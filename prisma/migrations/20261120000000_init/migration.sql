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
CREATE TYPE "event_source" AS ENUM ('event', 'message');

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
    "id" SERIAL NOT NULL,
    "company_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "created_by_user_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
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

    CONSTRAINT "rooms_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "room_members" (
    "company_id" INTEGER NOT NULL,
    "room_id" UUID NOT NULL,
    "identity" TEXT NOT NULL,
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
    "participants" JSONB NOT NULL DEFAULT '[]',
    "talk_time" JSONB,
    "summary" JSONB,
    "disqualified_at" TIMESTAMPTZ(3),
    "disqualified_reason" TEXT,

    CONSTRAINT "calls_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "distributions" (
    "company_id" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "room_id" UUID NOT NULL,
    "call_id" UUID,
    "recipient_name" TEXT,
    "recipient_email" TEXT,
    "forwarded_from_distribution_id" UUID,

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

    CONSTRAINT "documents_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "engagement_events" (
    "company_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "source" "event_source" NOT NULL,
    "key" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "actor_name" TEXT,
    "actor_email" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "demo_id" UUID,
    "demo_title" TEXT,
    "distribution_id" UUID,
    "forwarded_from_distribution_id" UUID,
    "buyer_space_id" UUID NOT NULL,
    "doc_id" UUID,

    CONSTRAINT "engagement_events_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "engagement_views" (
    "company_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "kind" "view_kind" NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,
    "actor_name" TEXT,
    "actor_email" TEXT,
    "distribution_id" UUID NOT NULL,
    "forwarded_from_distribution_id" UUID,
    "demo_id" UUID,
    "demo_title" TEXT,
    "doc_id" UUID,
    "buyer_space_id" UUID NOT NULL,
    "watch_seconds" INTEGER NOT NULL,
    "unique_seconds" INTEGER,
    "duration_seconds" INTEGER,
    "completion_percent" INTEGER,
    "segments" JSONB NOT NULL DEFAULT '[]',

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

    CONSTRAINT "esign_documents_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "events" TEXT[],
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "secret_ciphertext" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_success_at" TIMESTAMPTZ(3),
    "last_error_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "webhook_events" (
    "company_id" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "body" TEXT NOT NULL,

    CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "company_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "endpoint_id" INTEGER NOT NULL,
    "event_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "status" "delivery_status" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "last_status_code" INTEGER,
    "last_error" TEXT,
    "ready" BOOLEAN NOT NULL DEFAULT true,
    "claim_token" UUID,
    "lease_expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "delivery_id" BIGINT NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "status_code" INTEGER,
    "error" TEXT,
    "response_excerpt" TEXT,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("delivery_id","number")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys"("key_hash");

-- CreateIndex
CREATE INDEX "api_keys_company_id_id_idx" ON "api_keys"("company_id", "id");

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
CREATE INDEX "distributions_company_id_room_id_idx" ON "distributions"("company_id", "room_id");

-- CreateIndex
CREATE INDEX "distributions_company_id_call_id_idx" ON "distributions"("company_id", "call_id");

-- CreateIndex
CREATE INDEX "documents_company_id_room_id_idx" ON "documents"("company_id", "room_id");

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
CREATE INDEX "esign_documents_company_id_room_id_idx" ON "esign_documents"("company_id", "room_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_company_id_endpoint_id_id_idx" ON "webhook_deliveries"("company_id", "endpoint_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_company_id_event_id_id_idx" ON "webhook_deliveries"("company_id", "event_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_company_id_event_type_id_idx" ON "webhook_deliveries"("company_id", "event_type", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_id_key" ON "webhook_deliveries"("id");

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
ALTER TABLE "engagement_events" ADD CONSTRAINT "engagement_events_company_id_buyer_space_id_fkey" FOREIGN KEY ("company_id", "buyer_space_id") REFERENCES "rooms"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "engagement_events" ADD CONSTRAINT "engagement_events_company_id_distribution_id_fkey" FOREIGN KEY ("company_id", "distribution_id") REFERENCES "distributions"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "engagement_events" ADD CONSTRAINT "engagement_events_company_id_doc_id_fkey" FOREIGN KEY ("company_id", "doc_id") REFERENCES "documents"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "engagement_views" ADD CONSTRAINT "engagement_views_company_id_buyer_space_id_fkey" FOREIGN KEY ("company_id", "buyer_space_id") REFERENCES "rooms"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "engagement_views" ADD CONSTRAINT "engagement_views_company_id_distribution_id_fkey" FOREIGN KEY ("company_id", "distribution_id") REFERENCES "distributions"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "engagement_views" ADD CONSTRAINT "engagement_views_company_id_doc_id_fkey" FOREIGN KEY ("company_id", "doc_id") REFERENCES "documents"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "action_items" ADD CONSTRAINT "action_items_company_id_room_id_fkey" FOREIGN KEY ("company_id", "room_id") REFERENCES "rooms"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_company_id_room_id_fkey" FOREIGN KEY ("company_id", "room_id") REFERENCES "rooms"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_company_id_distribution_id_fkey" FOREIGN KEY ("company_id", "distribution_id") REFERENCES "distributions"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "esign_documents" ADD CONSTRAINT "esign_documents_company_id_room_id_fkey" FOREIGN KEY ("company_id", "room_id") REFERENCES "rooms"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_company_id_endpoint_id_fkey" FOREIGN KEY ("company_id", "endpoint_id") REFERENCES "webhook_endpoints"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_company_id_event_id_fkey" FOREIGN KEY ("company_id", "event_id") REFERENCES "webhook_events"("company_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_deliveries"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- From here on: what Prisma's schema language cannot express.

-- Feed ids all have the same number of digits for as long as anyone will care, so a loader that compares them as
-- strings is right as well. CACHE 1: a session that held a block of ids would hand them out after larger ones.
ALTER SEQUENCE "engagement_events_id_seq" START WITH 1000000000000 RESTART CACHE 1;
ALTER SEQUENCE "engagement_views_id_seq" START WITH 1000000000000 RESTART CACHE 1;
ALTER SEQUENCE "webhook_deliveries_id_seq" START WITH 1000000000000 RESTART CACHE 1;

-- The call feed filtered to calls that have a summary, of all kinds and of one.
CREATE INDEX "calls_with_summary_idx" ON "calls" ("company_id", "updated_at", "id") WHERE "status" = 'completed' AND "summary" IS NOT NULL;
CREATE INDEX "calls_of_kind_with_summary_idx" ON "calls" ("company_id", "kind", "updated_at", "id")
  WHERE "status" = 'completed' AND "summary" IS NOT NULL;

-- The first id of each day: where a walk in id order may begin when only rows since a moment are wanted.
CREATE INDEX "engagement_events_day_idx" ON "engagement_events" ("company_id", (("occurred_at" AT TIME ZONE 'UTC')::date), "id");
CREATE INDEX "engagement_views_day_idx" ON "engagement_views" ("company_id", (("started_at" AT TIME ZONE 'UTC')::date), "id");

-- The delivery log by status, with what else it may be filtered by, and the counts of the status endpoint.
CREATE INDEX "webhook_deliveries_status_idx" ON "webhook_deliveries" ("company_id", "status", "id")
  INCLUDE ("endpoint_id", "event_type");
-- When a workspace was last delivered to.
CREATE INDEX "webhook_deliveries_delivered_idx" ON "webhook_deliveries" ("company_id", "delivered_at") WHERE "status" = 'delivered';

-- The ready queue: the dispatcher's claim walks it in id order and reads nothing else.
CREATE INDEX "webhook_deliveries_ready_idx" ON "webhook_deliveries" ("id") WHERE "ready";
-- Deliveries that enter the ready queue at a moment: a wait of the schedule, or the lease of a silent worker, runs out.
CREATE INDEX "webhook_deliveries_waiting_idx" ON "webhook_deliveries" ((coalesce("lease_expires_at", "next_attempt_at")))
  WHERE "status" = 'pending' AND NOT "ready" AND coalesce("lease_expires_at", "next_attempt_at") IS NOT NULL;
-- Parking an endpoint's deliveries, and letting them go again: each finds the rows it has to move and no others.
CREATE INDEX "webhook_deliveries_unparked_idx" ON "webhook_deliveries" ("company_id", "endpoint_id", "id")
  WHERE "status" = 'pending' AND "next_attempt_at" IS NOT NULL;
CREATE INDEX "webhook_deliveries_parked_idx" ON "webhook_deliveries" ("company_id", "endpoint_id", "id")
  WHERE "status" = 'pending' AND "next_attempt_at" IS NULL;
-- The endpoints that an event is fanned out to.
CREATE INDEX "webhook_endpoints_enabled_idx" ON "webhook_endpoints" ("company_id", "id") WHERE "enabled";

ALTER TABLE "webhook_deliveries"
  ADD CONSTRAINT "webhook_deliveries_ready_check"
    CHECK (NOT "ready" OR ("status" = 'pending' AND "next_attempt_at" IS NOT NULL AND "claim_token" IS NULL)),
  ADD CONSTRAINT "webhook_deliveries_claim_check"
    CHECK (("claim_token" IS NULL) = ("lease_expires_at" IS NULL) AND ("claim_token" IS NULL OR "status" = 'pending')),
  ADD CONSTRAINT "webhook_deliveries_finished_check"
    CHECK ("status" = 'pending' OR "next_attempt_at" IS NULL),
  ADD CONSTRAINT "webhook_deliveries_delivered_check"
    CHECK (("status" = 'delivered') = ("delivered_at" IS NOT NULL)),
  ADD CONSTRAINT "webhook_deliveries_attempts_check" CHECK ("attempts" >= 0);

ALTER TABLE "webhook_endpoints"
  ADD CONSTRAINT "webhook_endpoints_failures_check" CHECK ("consecutive_failures" >= 0),
  ADD CONSTRAINT "webhook_endpoints_reason_check" CHECK (NOT "enabled" OR "disabled_reason" IS NULL),
  ADD CONSTRAINT "webhook_endpoints_events_check" CHECK (cardinality("events") > 0);

ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_name_check" CHECK (char_length("name") BETWEEN 1 AND 120);

ALTER TABLE "calls" ADD CONSTRAINT "calls_duration_check" CHECK ("duration_seconds" >= 0);

ALTER TABLE "engagement_events"
  ADD CONSTRAINT "engagement_events_metadata_check" CHECK (jsonb_typeof("metadata") = 'object');

ALTER TABLE "engagement_views"
  ADD CONSTRAINT "engagement_views_kind_check" CHECK (("kind" = 'document') = ("doc_id" IS NOT NULL)),
  ADD CONSTRAINT "engagement_views_seconds_check"
    CHECK ("watch_seconds" >= 0 AND "unique_seconds" >= 0 AND "duration_seconds" >= 0),
  ADD CONSTRAINT "engagement_views_completion_check" CHECK ("completion_percent" BETWEEN 0 AND 100),
  ADD CONSTRAINT "engagement_views_span_check" CHECK ("ended_at" >= "started_at");

ALTER TABLE "action_items"
  ADD CONSTRAINT "action_items_completed_check" CHECK ("completed_by" IS NULL OR "completed_at" IS NOT NULL);

ALTER TABLE "esign_documents" ADD CONSTRAINT "esign_documents_recipients_check" CHECK ("recipient_count" >= 0);

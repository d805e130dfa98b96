-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "distributions_person_idx" ON "distributions" ("company_id", "room_id", person_of("recipient_email", "id"));

-- Building these locks the tables against writers and not against readers, for about a second per million rows. Capture takes
-- the feed clock before any other lock, so taking all clocks makes it wait there, where it holds nothing that others need.
LOCK TABLE "feed_clocks" IN SHARE ROW EXCLUSIVE MODE;

-- DropIndex
DROP INDEX "distributions_company_id_room_id_idx";

-- DropIndex
DROP INDEX "distributions_company_id_call_id_idx";

-- DropIndex
DROP INDEX "documents_company_id_room_id_idx";

-- DropIndex
DROP INDEX "esign_documents_company_id_room_id_idx";

-- CreateIndex
CREATE INDEX "distributions_company_id_updated_at_id_idx" ON "distributions"("company_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "distributions_company_id_room_id_updated_at_id_idx" ON "distributions"("company_id", "room_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "distributions_company_id_call_id_updated_at_id_idx" ON "distributions"("company_id", "call_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "documents_company_id_updated_at_id_idx" ON "documents"("company_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "documents_company_id_room_id_updated_at_id_idx" ON "documents"("company_id", "room_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "esign_documents_company_id_updated_at_id_idx" ON "esign_documents"("company_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "esign_documents_company_id_room_id_updated_at_id_idx" ON "esign_documents"("company_id", "room_id", "updated_at", "id");

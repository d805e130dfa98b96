-- AlterTable
ALTER TABLE "audit_records" ADD COLUMN     "ip_address" TEXT,
ADD COLUMN     "server_request_id" TEXT,
ALTER COLUMN "user_id" DROP NOT NULL,
ALTER COLUMN "request_id" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "audit_records_company_id_action_id_idx" ON "audit_records"("company_id", "action", "id");

-- CreateIndex
CREATE INDEX "audit_records_company_id_object_type_object_id_id_idx" ON "audit_records"("company_id", "object_type", "object_id", "id");

-- CreateIndex
CREATE INDEX "audit_records_company_id_at_id_idx" ON "audit_records"("company_id", "at", "id");

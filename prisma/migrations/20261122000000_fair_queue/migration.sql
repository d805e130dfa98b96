-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN     "requeued" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "ready_workspaces" (
    "position" BIGSERIAL NOT NULL,
    "company_id" INTEGER NOT NULL,

    CONSTRAINT "ready_workspaces_pkey" PRIMARY KEY ("position")
);

-- CreateIndex
CREATE INDEX "ready_workspaces_company_id_idx" ON "ready_workspaces"("company_id");

-- From here on: what Prisma's schema language cannot express.

-- The ready deliveries of a workspace, endpoint by endpoint, in the order in which they are claimed. No other index begins
-- with this column, so the planner cannot walk one in this order that also holds rows that are not ready.
CREATE INDEX "webhook_deliveries_ready_by_workspace_idx"
  ON "webhook_deliveries" ("requeued", "company_id", "endpoint_id", "id") WHERE "ready";
DROP INDEX "webhook_deliveries_ready_by_endpoint_idx";

-- A workspace with a ready delivery is always listed: five statements make deliveries ready, and one that forgot to list
-- the workspace would leave its deliveries unclaimed. A listing that exists is locked against removal until the commit,
-- because whoever removes listings cannot see this transaction's deliveries yet. Nobody ever waits for such a lock: if the
-- listing is just being removed, the workspace is listed once more.
CREATE FUNCTION "list_ready_workspace"("workspace" INTEGER) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM "ready_workspaces" WHERE "company_id" = "workspace" LIMIT 1 FOR KEY SHARE SKIP LOCKED;
  IF NOT FOUND THEN
    INSERT INTO "ready_workspaces" ("company_id") VALUES ("workspace");
  END IF;
END $$;

CREATE FUNCTION "list_inserted_ready"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "list_ready_workspace"("company_id") FROM (
    SELECT DISTINCT "company_id" FROM "inserted" WHERE "ready" ORDER BY "company_id"
  ) AS "workspaces";
  RETURN NULL;
END $$;

CREATE FUNCTION "list_updated_ready"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "list_ready_workspace"(NEW."company_id");
  RETURN NULL;
END $$;

CREATE TRIGGER "list_inserted_ready" AFTER INSERT ON "webhook_deliveries"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "list_inserted_ready"();

CREATE TRIGGER "list_updated_ready" AFTER UPDATE OF "ready" ON "webhook_deliveries"
  FOR EACH ROW WHEN (NEW."ready" AND NOT OLD."ready") EXECUTE FUNCTION "list_updated_ready"();

INSERT INTO "ready_workspaces" ("company_id")
SELECT "company_id" FROM "webhook_deliveries" WHERE "ready" GROUP BY "company_id" ORDER BY min("id");

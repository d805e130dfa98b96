-- The workspace of an attempt, so that its key can begin with it. The column is filled by the next migration.
ALTER TABLE "webhook_attempts" ADD COLUMN "company_id" INTEGER;

-- Processes of the previous release do not name the workspace.
CREATE FUNCTION "fill_attempt_company"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "company_id" INTO NEW."company_id" FROM "webhook_deliveries" WHERE "id" = NEW."delivery_id";
  RETURN NEW;
END $$;
CREATE TRIGGER "fill_attempt_company" BEFORE INSERT ON "webhook_attempts"
  FOR EACH ROW WHEN (NEW."company_id" IS NULL) EXECUTE FUNCTION "fill_attempt_company"();

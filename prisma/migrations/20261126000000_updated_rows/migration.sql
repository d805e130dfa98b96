-- The position of share links, documents and contracts in their feeds: the reading of the feed clock of the last write that
-- changed what the API shows of them. Rows that exist already get the time of this migration, which no cursor has passed,
-- because no version of the product served these feeds before it. PostgreSQL keeps that value in the catalogue, so the rows are
-- not rewritten, and the tables are locked for a moment only. The indexes follow in a migration, and a transaction, of their
-- own, so that nobody waits for them with this lock.
ALTER TABLE "distributions" ADD COLUMN "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now();
ALTER TABLE "documents" ADD COLUMN "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now();
ALTER TABLE "esign_documents" ADD COLUMN "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now();

-- The time of a statement is no position in a feed, so there is no default from here on.
ALTER TABLE "distributions" ALTER COLUMN "updated_at" DROP DEFAULT;
ALTER TABLE "documents" ALTER COLUMN "updated_at" DROP DEFAULT;
ALTER TABLE "esign_documents" ALTER COLUMN "updated_at" DROP DEFAULT;

-- An older version of the product, which captures until the new one has replaced it, does not know the column. Its transactions
-- hold the feed clock as well, so the reading of that is the position of what they insert.
CREATE FUNCTION take_feed_position() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT at INTO NEW.updated_at FROM feed_clocks WHERE company_id = NEW.company_id;
  RETURN NEW;
END $$;

CREATE TRIGGER take_feed_position BEFORE INSERT ON distributions
  FOR EACH ROW WHEN (NEW.updated_at IS NULL) EXECUTE FUNCTION take_feed_position();
CREATE TRIGGER take_feed_position BEFORE INSERT ON documents
  FOR EACH ROW WHEN (NEW.updated_at IS NULL) EXECUTE FUNCTION take_feed_position();
CREATE TRIGGER take_feed_position BEFORE INSERT ON esign_documents
  FOR EACH ROW WHEN (NEW.updated_at IS NULL) EXECUTE FUNCTION take_feed_position();

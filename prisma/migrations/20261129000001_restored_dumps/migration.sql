-- AlterTable
ALTER TABLE "database_identity" ADD COLUMN "written_by" BIGINT;

-- From here on: what Prisma's schema language cannot express.

-- The row keeps the number of the transaction that wrote it, which PostgreSQL keeps as well, in `xmin`. Whatever restores a dump
-- writes the row in another transaction, with the number that it had. A trigger sets the number, so that nobody can forget it:
-- neither a process of the previous release, nor an operator. It runs after the update, because only the written row has the
-- number of a subtransaction, which a savepoint begins. Its own update runs it once more, with nothing left to do. There is no
-- trigger for INSERT, because that is what a restore does.
--
-- A migration that rewrites this table must update the row as well.
CREATE FUNCTION sign_database_identity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE database_identity SET written_by = xmin::text::bigint
  WHERE written_by IS DISTINCT FROM xmin::text::bigint;
  RETURN NULL;
END
$$;

CREATE TRIGGER database_identity_sign AFTER UPDATE ON "database_identity"
FOR EACH ROW EXECUTE FUNCTION sign_database_identity();

-- The one row gets its number.
DO $$
BEGIN
  UPDATE database_identity SET known_since = known_since;
END
$$;

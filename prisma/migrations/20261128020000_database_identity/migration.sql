-- CreateTable
CREATE TABLE "database_identity" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "system_identifier" TEXT NOT NULL,
    "timeline" INTEGER NOT NULL,
    "promotions_keep_commits" BOOLEAN NOT NULL DEFAULT false,
    "known_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "database_identity_pkey" PRIMARY KEY ("id")
);

-- From here on: what Prisma's schema language cannot express.

-- There is one row.
ALTER TABLE "database_identity" ADD CONSTRAINT "database_identity_id_check" CHECK ("id" = 1);

-- What tells a server that was restored, or promoted, from the one that the feeds were written on. A service that hides it
-- gets no row, and is not watched.
CREATE FUNCTION current_system_identifier() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT system_identifier::text FROM pg_control_system()
$$;

-- NULL on a standby. The name of a file of the log begins with the timeline, in 8 hexadecimal digits. The last checkpoint has it
-- as well, but the first checkpoint after a promotion comes some time after the first commits.
CREATE FUNCTION current_timeline() RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN NOT pg_is_in_recovery()
    THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer END
$$;

DO $$
BEGIN
  INSERT INTO "database_identity" ("system_identifier", "timeline")
  VALUES (current_system_identifier(), current_timeline());
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_function THEN
  RAISE NOTICE 'restores and promotions cannot be noticed here: %', SQLERRM;
END
$$;

-- Creates the two database roles of the product. Run it with psql 15 or newer in the product's database, before the first
-- migration, as the owner of the database with CREATEROLE (managed PostgreSQL) or as a superuser:
--
--   OWNER_PASSWORD=... APP_PASSWORD=... psql --dbname=deal_signals --file=docker/postgres-roles.sql
--
-- To change the passwords, run it again, as the same role.
--
-- signals_owner   runs the migrations and owns what they create.
-- signals_app     is for the API, the worker and programs that capture. It reads and writes rows and nothing else; what it must
--                 not change, such as the audit log, is revoked again by prisma/sql/rights.sql.
\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD

DO $$ BEGIN
  IF to_regrole('signals_owner') IS NULL THEN CREATE ROLE signals_owner; END IF;
  IF to_regrole('signals_app') IS NULL THEN CREATE ROLE signals_app; END IF;
  -- Only a member of a role, or a superuser, can give it the schema and act for it. A role with CREATEROLE can grant itself the
  -- membership.
  IF NOT pg_has_role('signals_owner', 'USAGE') THEN GRANT signals_owner TO CURRENT_USER; END IF;
END $$;
ALTER ROLE signals_owner LOGIN PASSWORD :'owner_password';
ALTER ROLE signals_app LOGIN PASSWORD :'app_password';

-- The migrations create tables, types, functions and triggers in the schema public. No one else may.
ALTER SCHEMA public OWNER TO signals_owner;
-- The extensions that the tables and functions need, all of them trusted.
DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO signals_owner', current_database()); END $$;
SET ROLE signals_owner;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO signals_app;

-- Tables and sequences that migrations create from now on. UPDATE on a sequence is left out: it would allow resetting the sequence.
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO signals_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO signals_app;
-- Functions are public by default. Default privileges can revoke that only for all schemas together.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT EXECUTE ON FUNCTIONS TO signals_app;
RESET ROLE;

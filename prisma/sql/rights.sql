-- Revokes rights that the role of the apps must not have: to change the history of the schema or audit records, and to delete
-- rows that captured rows and deliveries refer to, since no foreign key protects these. docker/postgres-roles.sql lets the role
-- read and write all objects that a migration creates, so this script revokes some of these rights. A database that is used with
-- a single role has no such role, and nothing is revoked.
DO $$
BEGIN
  IF to_regrole('signals_app') IS NOT NULL THEN
    REVOKE INSERT, UPDATE, DELETE ON "_prisma_migrations", "_applied_scripts" FROM signals_app;
    REVOKE UPDATE, DELETE ON "audit_records" FROM signals_app;
    REVOKE DELETE ON "users", "rooms", "calls", "distributions", "documents", "webhook_endpoints" FROM signals_app;
  END IF;
END $$;

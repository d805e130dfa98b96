-- What the role of the apps must not change, it cannot: the history of the schema, what was audited, and that what captured rows and
-- deliveries refer to stays: no foreign key checks that. docker/postgres-roles.sql lets
-- it read and write whatever a migration creates, so this takes rights back. A database that is used with a single role has no
-- such role, and nothing to take back.
DO $$
BEGIN
  IF to_regrole('signals_app') IS NOT NULL THEN
    REVOKE INSERT, UPDATE, DELETE ON "_prisma_migrations", "_applied_scripts" FROM signals_app;
    REVOKE UPDATE, DELETE ON "audit_records" FROM signals_app;
    REVOKE DELETE ON "users", "rooms", "calls", "distributions", "documents", "webhook_endpoints" FROM signals_app;
  END IF;
END $$;

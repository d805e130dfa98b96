-- The line of the workspaces that have ready deliveries, and what wakes the dispatchers. A workspace with a ready delivery is always
-- listed: several statements make deliveries ready, and one that forgot to list the workspace would leave its deliveries unclaimed.
-- So triggers list it.

-- Dispatchers that want to be woken (DISPATCH_WAKE) listen to the channel "deliveries_ready" and hold the advisory lock
-- 4829113017 in shared mode. Whoever makes a delivery ready notifies them with the commit.
--
-- PostgreSQL commits transactions that notify one after the other, so nobody notifies while nobody listens: the lock is
-- free then. Two transactions that look at the same moment may take each other for a dispatcher, which costs a needless
-- notification. The function never waits.
CREATE OR REPLACE FUNCTION "wake_dispatchers"() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF pg_try_advisory_lock(4829113017) THEN
    PERFORM pg_advisory_unlock(4829113017);
  ELSE
    PERFORM pg_notify('deliveries_ready', '');
  END IF;
END $$;

-- Lists a workspace. A listing that exists is locked against removal until the commit, because whoever removes listings cannot see
-- this transaction's deliveries yet. Nobody ever waits for such a lock: if the listing is just being removed, the workspace is
-- listed once more.
CREATE OR REPLACE FUNCTION "enqueue_workspace"("workspace" INTEGER) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM "workspace_queue" WHERE "company_id" = "workspace" LIMIT 1 FOR KEY SHARE SKIP LOCKED;
  IF NOT FOUND THEN
    INSERT INTO "workspace_queue" ("company_id") VALUES ("workspace");
  END IF;
  PERFORM "wake_dispatchers"();
END $$;

CREATE OR REPLACE FUNCTION "enqueue_inserted_ready"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "enqueue_workspace"("company_id") FROM (
    SELECT DISTINCT "company_id" FROM "inserted" WHERE "ready" ORDER BY "company_id"
  ) AS "workspaces";
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "enqueue_updated_ready"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "enqueue_workspace"(NEW."company_id");
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "enqueue_inserted_ready" AFTER INSERT ON "pending_deliveries"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "enqueue_inserted_ready"();

CREATE OR REPLACE TRIGGER "enqueue_updated_ready" AFTER UPDATE OF "ready" ON "pending_deliveries"
  FOR EACH ROW WHEN (NEW."ready" AND NOT OLD."ready") EXECUTE FUNCTION "enqueue_updated_ready"();

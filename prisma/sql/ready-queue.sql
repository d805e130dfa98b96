-- The queue of the workspaces that have ready deliveries, and the wake-up of the dispatchers. A workspace with a ready delivery
-- is always in the queue. Triggers add it, because several statements make deliveries ready, and a workspace that one of them did
-- not add would keep its deliveries unclaimed.

-- Wakes the dispatchers. Dispatchers that want to be woken (DISPATCH_WAKE) listen to the channel "deliveries_ready" and hold the
-- advisory lock 4829113017 in shared mode. A transaction that makes a delivery ready notifies them with its commit.
--
-- PostgreSQL serializes the commits of transactions that notify, so transactions do not notify while the lock is free and no
-- dispatcher listens. Two transactions that check at the same moment may mistake each other for a dispatcher, which costs an
-- unnecessary notification. The function never waits.
CREATE OR REPLACE FUNCTION "wake_dispatchers"() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF pg_try_advisory_lock(4829113017) THEN
    PERFORM pg_advisory_unlock(4829113017);
  ELSE
    PERFORM pg_notify('deliveries_ready', '');
  END IF;
END $$;

-- Adds a workspace to the queue. An existing entry is locked against removal until the commit, because the dispatcher that
-- removes entries cannot see this transaction's deliveries yet. No transaction waits for this lock: if the entry is being
-- removed, the workspace is added once more.
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

-- A row trigger, because PostgreSQL allows no transition table with a list of columns. Without the list, it would run for every
-- claim and outcome.
CREATE OR REPLACE TRIGGER "enqueue_updated_ready" AFTER UPDATE OF "ready" ON "pending_deliveries"
  FOR EACH ROW WHEN (NEW."ready" AND NOT OLD."ready") EXECUTE FUNCTION "enqueue_updated_ready"();

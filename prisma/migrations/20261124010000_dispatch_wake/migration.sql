-- Dispatchers that want to be woken (DISPATCH_WAKE) listen to the channel "deliveries_ready" and hold the advisory lock
-- 4829113017 in shared mode. Whoever makes a delivery ready notifies them with the commit.
--
-- PostgreSQL commits transactions that notify one after the other, so nobody notifies while nobody listens: the lock is
-- free then. Two transactions that look at the same moment may take each other for a dispatcher, which costs a needless
-- notification. The function never waits.
CREATE FUNCTION "wake_dispatchers"() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF pg_try_advisory_lock(4829113017) THEN
    PERFORM pg_advisory_unlock(4829113017);
  ELSE
    PERFORM pg_notify('deliveries_ready', '');
  END IF;
END $$;

-- Every statement that makes a delivery ready passes here. Replacing a function locks no table.
CREATE OR REPLACE FUNCTION "list_ready_workspace"("workspace" INTEGER) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM "ready_workspaces" WHERE "company_id" = "workspace" LIMIT 1 FOR KEY SHARE SKIP LOCKED;
  IF NOT FOUND THEN
    INSERT INTO "ready_workspaces" ("company_id") VALUES ("workspace");
  END IF;
  PERFORM "wake_dispatchers"();
END $$;

-- Nothing reads the ready queue in the order of ids alone any more: claims walk "webhook_deliveries_ready_by_workspace_idx",
-- and the gauge of due deliveries counts in that order too. Dropping an index takes milliseconds, whatever its size. It needs
-- the table to itself for that moment, and waits for the transactions that use it no longer than any migration does.
DROP INDEX "webhook_deliveries_ready_idx";

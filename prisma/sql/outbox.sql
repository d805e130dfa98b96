-- The subscribers to the events of the outbox.

-- Returns the endpoints of a workspace that receive events, in id order: none while its API is switched off. Their filters are
-- evaluated on the objects that are sent, which only the caller has.
CREATE OR REPLACE FUNCTION subscribers_of(workspace int) RETURNS TABLE (id int, events text[], filter json) LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT e.id, e.events, e.filter FROM webhook_endpoints e
  WHERE e.company_id = subscribers_of.workspace AND e.enabled
    AND EXISTS (SELECT FROM companies c WHERE c.id = e.company_id AND c.api_enabled)
  ORDER BY e.id;
END;

-- A text must not outlive what it shows. Whoever changes a row without building its text, such as somebody with psql, leaves a row
-- without a text. Columns that are put into the text when it is read (the id of an event, owners, the sort timestamps) are not
-- listed.
CREATE OR REPLACE FUNCTION forget_object_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.object_text := NULL;
  NEW.object_version := NULL;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER forget_object_text
  BEFORE UPDATE OF type, occurred_at, actor_name, actor_email, metadata, demo_id, demo_title, distribution_id,
                   forwarded_from_distribution_id, buyer_space_id, doc_id ON engagement_events
  FOR EACH ROW
  WHEN (OLD.object_text IS NOT NULL AND NEW.object_text IS NOT DISTINCT FROM OLD.object_text
        AND (OLD.type, OLD.occurred_at, OLD.actor_name, OLD.actor_email, OLD.metadata, OLD.demo_id, OLD.demo_title,
             OLD.distribution_id, OLD.forwarded_from_distribution_id, OLD.buyer_space_id, OLD.doc_id)
            IS DISTINCT FROM
            (NEW.type, NEW.occurred_at, NEW.actor_name, NEW.actor_email, NEW.metadata, NEW.demo_id, NEW.demo_title,
             NEW.distribution_id, NEW.forwarded_from_distribution_id, NEW.buyer_space_id, NEW.doc_id))
  EXECUTE FUNCTION forget_object_text();

CREATE OR REPLACE TRIGGER forget_object_text
  BEFORE UPDATE OF kind, started_at, ended_at, actor_name, actor_email, distribution_id, forwarded_from_distribution_id,
                   demo_id, demo_title, doc_id, buyer_space_id, watch_seconds, unique_seconds, duration_seconds,
                   completion_percent, segments ON engagement_views
  FOR EACH ROW
  WHEN (OLD.object_text IS NOT NULL AND NEW.object_text IS NOT DISTINCT FROM OLD.object_text
        AND (OLD.kind, OLD.started_at, OLD.ended_at, OLD.actor_name, OLD.actor_email, OLD.distribution_id,
             OLD.forwarded_from_distribution_id, OLD.demo_id, OLD.demo_title, OLD.doc_id, OLD.buyer_space_id,
             OLD.watch_seconds, OLD.unique_seconds, OLD.duration_seconds, OLD.completion_percent, OLD.segments)
            IS DISTINCT FROM
            (NEW.kind, NEW.started_at, NEW.ended_at, NEW.actor_name, NEW.actor_email, NEW.distribution_id,
             NEW.forwarded_from_distribution_id, NEW.demo_id, NEW.demo_title, NEW.doc_id, NEW.buyer_space_id,
             NEW.watch_seconds, NEW.unique_seconds, NEW.duration_seconds, NEW.completion_percent, NEW.segments))
  EXECUTE FUNCTION forget_object_text();

CREATE OR REPLACE TRIGGER forget_object_text
  BEFORE UPDATE OF id, kind, status, occurred_at, completed_at, title, prospect_name, duration_seconds, room_id, participants,
                   talk_time, summary, disqualified_at, disqualified_reason ON calls
  FOR EACH ROW
  WHEN (OLD.object_text IS NOT NULL AND NEW.object_text IS NOT DISTINCT FROM OLD.object_text
        AND (OLD.id, OLD.kind, OLD.status, OLD.occurred_at, OLD.completed_at, OLD.title, OLD.prospect_name,
             OLD.duration_seconds, OLD.room_id, OLD.participants, OLD.talk_time, OLD.summary, OLD.disqualified_at,
             OLD.disqualified_reason)
            IS DISTINCT FROM
            (NEW.id, NEW.kind, NEW.status, NEW.occurred_at, NEW.completed_at, NEW.title, NEW.prospect_name,
             NEW.duration_seconds, NEW.room_id, NEW.participants, NEW.talk_time, NEW.summary, NEW.disqualified_at,
             NEW.disqualified_reason))
  EXECUTE FUNCTION forget_object_text();

CREATE OR REPLACE TRIGGER forget_object_text
  BEFORE UPDATE OF id, name, slug, status, primary_contact_email, expected_close_date, deal_value_cents, source_call_id,
                   created_at, closed_at ON rooms
  FOR EACH ROW
  WHEN (OLD.object_text IS NOT NULL AND NEW.object_text IS NOT DISTINCT FROM OLD.object_text
        AND (OLD.id, OLD.name, OLD.slug, OLD.status, OLD.primary_contact_email, OLD.expected_close_date,
             OLD.deal_value_cents, OLD.source_call_id, OLD.created_at, OLD.closed_at)
            IS DISTINCT FROM
            (NEW.id, NEW.name, NEW.slug, NEW.status, NEW.primary_contact_email, NEW.expected_close_date,
             NEW.deal_value_cents, NEW.source_call_id, NEW.created_at, NEW.closed_at))
  EXECUTE FUNCTION forget_object_text();

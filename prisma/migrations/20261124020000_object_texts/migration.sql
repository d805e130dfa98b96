-- The JSON text of what the API shows of a row, and the version of the builder that made it. Rows without a text, or with one
-- of another version, are built from their columns when they are read, so nothing is filled in here: the columns are added
-- without reading the tables.
ALTER TABLE "engagement_events" ADD COLUMN "object_text" TEXT, ADD COLUMN "object_version" SMALLINT;
ALTER TABLE "engagement_views" ADD COLUMN "object_text" TEXT, ADD COLUMN "object_version" SMALLINT;
ALTER TABLE "calls" ADD COLUMN "object_text" TEXT, ADD COLUMN "object_version" SMALLINT;
ALTER TABLE "rooms" ADD COLUMN "object_text" TEXT, ADD COLUMN "object_version" SMALLINT;

-- Every page reads the texts, and hardly anything reads the JSON columns that they were built from. So when a row is too large
-- for 2 KB, those are compressed and moved out of the row first.
ALTER TABLE "engagement_events" ALTER COLUMN "object_text" SET STORAGE MAIN;
ALTER TABLE "engagement_views" ALTER COLUMN "object_text" SET STORAGE MAIN;
ALTER TABLE "calls" ALTER COLUMN "object_text" SET STORAGE MAIN;
ALTER TABLE "rooms" ALTER COLUMN "object_text" SET STORAGE MAIN;

-- lz4 decompresses several times as fast. A server can be built without it.
DO $$ BEGIN
  ALTER TABLE "engagement_events" ALTER COLUMN "object_text" SET COMPRESSION lz4;
  ALTER TABLE "engagement_views" ALTER COLUMN "object_text" SET COMPRESSION lz4;
  ALTER TABLE "calls" ALTER COLUMN "object_text" SET COMPRESSION lz4;
  ALTER TABLE "rooms" ALTER COLUMN "object_text" SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;

-- A text must not outlive what it shows. Whoever changes a row without building its text, such as an older version of the
-- product during a rollout or somebody with psql, leaves a row without a text. Columns that are put into the text when it is
-- read (the id of an event, owners, the sort timestamps) are not listed.
CREATE FUNCTION forget_object_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.object_text := NULL;
  NEW.object_version := NULL;
  RETURN NEW;
END $$;

CREATE TRIGGER forget_object_text
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

CREATE TRIGGER forget_object_text
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

CREATE TRIGGER forget_object_text
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

CREATE TRIGGER forget_object_text
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

-- Building a text again corrects nothing, so it must not make the database compute whole rooms again: only rows that differ
-- in another column count. Replaces roll_up_updated_from and roll_up_updated_to, which could not compare the two.
CREATE FUNCTION rebuild_corrected_rooms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM rebuild_room_roll_ups((d.row ->> 'company_id')::int, array_agg(DISTINCT (d.row ->> 'buyer_space_id')::uuid))
  FROM (
    (SELECT to_jsonb(b) - '{object_text,object_version}'::text[] FROM before b
     EXCEPT SELECT to_jsonb(a) - '{object_text,object_version}'::text[] FROM after a)
    UNION ALL
    (SELECT to_jsonb(a) - '{object_text,object_version}'::text[] FROM after a
     EXCEPT SELECT to_jsonb(b) - '{object_text,object_version}'::text[] FROM before b)
  ) AS d (row)
  GROUP BY d.row ->> 'company_id';
  RETURN NULL;
END $$;

DROP TRIGGER roll_up_updated_from ON engagement_events;
DROP TRIGGER roll_up_updated_to ON engagement_events;
CREATE TRIGGER roll_up_updated AFTER UPDATE ON engagement_events
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION rebuild_corrected_rooms();

DROP TRIGGER roll_up_updated_from ON engagement_views;
DROP TRIGGER roll_up_updated_to ON engagement_views;
CREATE TRIGGER roll_up_updated AFTER UPDATE ON engagement_views
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION rebuild_corrected_rooms();

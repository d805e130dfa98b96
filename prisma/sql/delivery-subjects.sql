-- The subjects of deliveries, by which lists find them.

-- Returns the subject for a text, which may be too long for a key: the first half of its hash. It does not use md5(), which a
-- server that only allows FIPS algorithms rejects.
CREATE OR REPLACE FUNCTION "text_subject"("content" TEXT) RETURNS UUID LANGUAGE sql STABLE
RETURN encode(substr(sha256(convert_to("content", 'UTF8')), 1, 16), 'hex')::uuid;

-- Returns the subjects of the deliveries of an event.
CREATE OR REPLACE FUNCTION "delivery_subjects"("event_id" UUID, "event_type" TEXT, "room_id" UUID, "call_id" UUID, "identity" TEXT)
RETURNS TABLE ("kind" "delivery_subject_kind", "subject" UUID) LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT s."kind", s."subject"
  FROM (VALUES
    ('event'::"delivery_subject_kind", "delivery_subjects"."event_id"),
    ('type', text_subject("delivery_subjects"."event_type")),
    ('room', "delivery_subjects"."room_id"),
    ('call', "delivery_subjects"."call_id"),
    ('person', text_subject("delivery_subjects"."identity"))
  ) AS s ("kind", "subject")
  WHERE s."subject" IS NOT NULL;
END;

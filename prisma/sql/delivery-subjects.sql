-- What deliveries are about, by which their lists find them.

-- What stands for the identity of a person in "webhook_delivery_subjects": the first half of a hash, because an address can be long and
-- a key should be short. Not md5(), which a server that only allows FIPS algorithms refuses.
CREATE OR REPLACE FUNCTION "person_subject"("identity" TEXT) RETURNS UUID LANGUAGE sql STABLE
RETURN encode(substr(sha256(convert_to("identity", 'UTF8')), 1, 16), 'hex')::uuid;

-- The subjects of the deliveries of an event that is about these.
CREATE OR REPLACE FUNCTION "delivery_subjects"("room_id" UUID, "call_id" UUID, "identity" TEXT)
RETURNS TABLE ("kind" "delivery_subject_kind", "subject" UUID) LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT s."kind", s."subject"
  FROM (VALUES
    ('room'::"delivery_subject_kind", "delivery_subjects"."room_id"),
    ('call', "delivery_subjects"."call_id"),
    ('person', person_subject("delivery_subjects"."identity"))
  ) AS s ("kind", "subject")
  WHERE s."subject" IS NOT NULL;
END;

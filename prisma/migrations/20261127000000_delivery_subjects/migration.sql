-- CreateEnum
CREATE TYPE "delivery_subject_kind" AS ENUM ('room', 'call', 'person');

-- AlterTable
ALTER TABLE "webhook_events" ADD COLUMN     "buyer_space_id" UUID,
ADD COLUMN     "call_id" UUID,
ADD COLUMN     "person" TEXT;

-- CreateTable
CREATE TABLE "webhook_delivery_subjects" (
    "company_id" INTEGER NOT NULL,
    "kind" "delivery_subject_kind" NOT NULL,
    "subject" UUID NOT NULL,
    "delivery_id" BIGINT NOT NULL,

    CONSTRAINT "webhook_delivery_subjects_pkey" PRIMARY KEY ("company_id","kind","subject","delivery_id")
);

-- From here on: what Prisma's schema language cannot express.

-- What stands for a person in "webhook_delivery_subjects": the first half of a hash, because an address can be long and a key
-- should be short. The address is in lower case. Not md5(), which a server that only allows FIPS algorithms refuses.
CREATE FUNCTION "person_subject"("email" TEXT) RETURNS UUID LANGUAGE sql STABLE
RETURN encode(substr(sha256(convert_to("email", 'UTF8')), 1, 16), 'hex')::uuid;

-- The subjects of the deliveries of an event that is about these.
CREATE FUNCTION "delivery_subjects"("room_id" UUID, "call_id" UUID, "person" TEXT)
RETURNS TABLE ("kind" "delivery_subject_kind", "subject" UUID) LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT s."kind", s."subject"
  FROM (VALUES
    ('room'::"delivery_subject_kind", "delivery_subjects"."room_id"),
    ('call', "delivery_subjects"."call_id"),
    ('person', person_subject("delivery_subjects"."person"))
  ) AS s ("kind", "subject")
  WHERE s."subject" IS NOT NULL;
END;

-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "previous_secret_ciphertext" BYTEA,
ADD COLUMN     "previous_secret_until" TIMESTAMPTZ(3);

-- From here on: what Prisma's schema language cannot express.

ALTER TABLE "webhook_endpoints"
  ADD CONSTRAINT "webhook_endpoints_previous_secret_check"
  CHECK (("previous_secret_ciphertext" IS NULL) = ("previous_secret_until" IS NULL));

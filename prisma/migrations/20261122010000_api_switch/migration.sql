-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "suspended" BOOLEAN NOT NULL DEFAULT false;

-- From here on: what Prisma's schema language cannot express.

-- The workspaces whose API is switched off already: the dispatcher parks what they have pending.
UPDATE "webhook_endpoints" AS "endpoint" SET "suspended" = true, "settling" = true
FROM "companies" AS "company"
WHERE "company"."id" = "endpoint"."company_id" AND NOT "company"."api_enabled" AND "endpoint"."removed_at" IS NULL;

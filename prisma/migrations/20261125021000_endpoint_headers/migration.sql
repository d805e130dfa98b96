-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "header_names" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "headers_ciphertext" BYTEA;

-- From here on: what Prisma's schema language cannot express.

ALTER TABLE "webhook_endpoints"
  ADD CONSTRAINT "webhook_endpoints_headers_check"
  CHECK (("headers_ciphertext" IS NULL) = (cardinality("header_names") = 0) AND cardinality("header_names") <= 10);

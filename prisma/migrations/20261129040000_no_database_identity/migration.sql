-- Ids and sort keys of the feeds are readings of a clock. So a server that was restored or promoted goes on behind the present, and
-- nothing has to be noticed.

-- DropTable
-- The processes of the previous release take a database without it for one that is not watched.
-- squawk-ignore ban-drop-table
DROP TABLE "database_identity";

-- From here on: what Prisma's schema language cannot express.
DROP FUNCTION sign_database_identity();
DROP FUNCTION current_timeline();
DROP FUNCTION current_system_identifier();

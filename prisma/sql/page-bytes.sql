-- The size of a page, with which the feeds end a page that is large enough.

-- Adds the size of a row to the sum and stops once the sum exceeds "most": it then no longer looks at the values, so
-- PostgreSQL neither reads nor decompresses the large values of rows that do not fit on the page. The first row always
-- fits. To concatenate something empty yields the value decompressed, whose size is about that of its JSON text and is
-- known without writing that text.
CREATE OR REPLACE FUNCTION "add_page_bytes"("bytes" BIGINT, "most" BIGINT, "texts" BIGINT, "object" JSONB, "list" JSONB)
RETURNS BIGINT LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  "row_bytes" BIGINT;
BEGIN
  IF "bytes" > "most" THEN RETURN "bytes"; END IF;
  "row_bytes" := "texts" + coalesce(pg_column_size("object" || '{}'), 0) + coalesce(pg_column_size("list" || '[]'), 0);
  RETURN coalesce("bytes" + "row_bytes", least("row_bytes", "most"));
END $$;

-- As a window function over the rows of a page: the size of the page up to and including each row. "texts" is the size of
-- a row's text columns, "object" and "list" are its JSON columns, or null.
CREATE OR REPLACE AGGREGATE "page_bytes"("most" BIGINT, "texts" BIGINT, "object" JSONB, "list" JSONB) (
  SFUNC = "add_page_bytes", STYPE = BIGINT
);

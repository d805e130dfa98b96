-- The names by which the console and the MCP tools find rooms, calls and people.

-- Returns a name in the form in which names are compared: in lower case and without accents, with single spaces between words,
-- before the first and after the last. Characters that look the same become one, and so do the forms of sigma; sharp s becomes
-- two s, and the letters i, l, o, d and h lose their dot or stroke. The first 1,000 characters are enough to identify any object,
-- and limit the cost of a name. The result contains no character with a meaning in LIKE, because these are punctuation.
CREATE OR REPLACE FUNCTION search_name_of(named text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ' ' || btrim(regexp_replace(
    replace(
      translate(
        regexp_replace(lower(normalize(left(named, 1000), NFKD)), U&'[\0300-\036F]', '', 'g'),
        U&'\03C2\0131\0142\00F8\0111\0127', U&'\03C3ilodh'),
      U&'\00DF', 'ss'),
    '[[:space:][:punct:]]+', ' ', 'g')) || ' '
$$;

-- Writes the current names of objects of a kind (1 rooms, 2 calls, 3 people).
CREATE OR REPLACE FUNCTION replace_search_names(workspace int, what smallint, objects uuid[], named text[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_names AS s (company_id, kind, object_id, name)
  SELECT workspace, what, o.id, search_name_of(o.named) FROM unnest(objects, named) AS o (id, named)
  ON CONFLICT (company_id, kind, object_id) DO UPDATE SET name = EXCLUDED.name WHERE s.name <> EXCLUDED.name;
END $$;

-- Writes the names of a workspace again, and returns their number. Use it after rooms, calls or people were written manually.
CREATE OR REPLACE FUNCTION rebuild_search_names(workspace int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  number int;
BEGIN
  -- Holding the clock keeps captures out.
  PERFORM take_feed_clock(workspace);
  PERFORM keep_plans();
  DELETE FROM search_names WHERE company_id = workspace;
  INSERT INTO search_names (company_id, kind, object_id, name)
  SELECT workspace, kind, id, search_name_of(named) FROM (
    SELECT 1 AS kind, id, name AS named FROM rooms WHERE company_id = workspace
    UNION ALL
    SELECT 2, id, concat_ws(' ', title, prospect_name) FROM calls WHERE company_id = workspace
    UNION ALL
    SELECT 3, id, concat_ws(' ', name, email) FROM people WHERE company_id = workspace
  ) AS o;
  GET DIAGNOSTICS number = ROW_COUNT;
  RETURN number;
END $$;

-- The names by which the console and tools of models find rooms, calls and people.

-- How a name is compared: in lower case and without accents, its words between single spaces, with one before the first and after
-- the last. Characters that look the same are one, and so are the forms of sigma; sharp s is two s, and the letters i, l, o, d and h
-- lose their dot or stroke. The first 1,000 characters identify anything, and bound what a name can cost.
-- No character that LIKE gives a meaning is left, because they are all punctuation.
CREATE OR REPLACE FUNCTION search_name_of(named text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ' ' || btrim(regexp_replace(
    replace(
      translate(
        regexp_replace(lower(normalize(left(named, 1000), NFKD)), U&'[\0300-\036F]', '', 'g'),
        U&'\03C2\0131\0142\00F8\0111\0127', U&'\03C3ilodh'),
      U&'\00DF', 'ss'),
    '[[:space:][:punct:]]+', ' ', 'g')) || ' '
$$;

-- Writes what objects of a kind (1 rooms, 2 calls, 3 people) are called now.
CREATE OR REPLACE FUNCTION replace_search_names(workspace int, what smallint, objects uuid[], named text[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_names AS s (company_id, kind, object_id, name)
  SELECT workspace, what, o.id, search_name_of(o.named) FROM unnest(objects, named) AS o (id, named)
  ON CONFLICT (company_id, kind, object_id) DO UPDATE SET name = EXCLUDED.name WHERE s.name <> EXCLUDED.name;
END $$;

-- Writes the names of a workspace again, and returns their number: for whoever has written rooms, calls or people by hand.
CREATE OR REPLACE FUNCTION rebuild_search_names(workspace int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  number int;
BEGIN
  -- Nobody captures meanwhile.
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

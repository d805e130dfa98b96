-- The words by which the console finds rooms, calls and people.

-- The words of a text: in lower case and without accents, split at white space and punctuation. The first 12 words, and 40
-- characters of each, identify anything that people give a name to, and bound what a name can cost.
CREATE OR REPLACE FUNCTION search_words_of(named text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  words text[] := '{}';
  word text;
BEGIN
  FOREACH word IN ARRAY regexp_split_to_array(
    lower(regexp_replace(normalize(coalesce(left(named, 1000), ''), NFKD), U&'[\0300-\036F]', '', 'g')),
    '[[:space:][:punct:]]+')
  LOOP
    CONTINUE WHEN word = '' OR left(word, 40) = ANY (words);
    words := words || left(word, 40);
    EXIT WHEN cardinality(words) = 12;
  END LOOP;
  RETURN words;
END $$;

-- Follows what objects of a kind (1 rooms, 2 calls, 3 people) are called: removes the words that are only in their names of before, and adds
-- those that are only in their names of now. A new object had no name.
CREATE OR REPLACE FUNCTION replace_search_words(workspace int, what smallint, objects uuid[], named_before text[], named text[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM search_words s
  USING unnest(objects, named_before, named) AS o (id, before, after)
  CROSS JOIN LATERAL unnest(search_words_of(o.before)) AS w (word)
  -- Each is looked up by itself. As a join, all words of the workspace may be compared.
  CROSS JOIN LATERAL (
    SELECT ctid FROM search_words f
    WHERE f.company_id = workspace AND f.kind = what AND f.word = w.word COLLATE "C" AND f.object_id = o.id OFFSET 0
  ) AS own
  WHERE o.before <> '' AND w.word <> ALL (search_words_of(o.after)) AND s.ctid = own.ctid;
  INSERT INTO search_words (company_id, kind, word, object_id)
  SELECT workspace, what, w.word, o.id
  FROM unnest(objects, named) AS o (id, after) CROSS JOIN LATERAL unnest(search_words_of(o.after)) AS w (word)
  ON CONFLICT DO NOTHING;
END $$;

-- Writes the words of a workspace again, and returns their number: for whoever has written rooms or calls by hand.
CREATE OR REPLACE FUNCTION rebuild_search_words(workspace int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  -- Nobody captures meanwhile.
  PERFORM take_feed_clock(workspace);
  PERFORM keep_plans();
  DELETE FROM search_words WHERE company_id = workspace;
  PERFORM replace_search_words(workspace, 1::smallint, array_agg(id), NULL, array_agg(name)) FROM rooms WHERE company_id = workspace;
  PERFORM replace_search_words(workspace, 2::smallint, array_agg(id), NULL, array_agg(concat_ws(' ', title, prospect_name)))
  FROM calls WHERE company_id = workspace;
  PERFORM replace_search_words(workspace, 3::smallint, array_agg(id), NULL, array_agg(concat_ws(' ', name, email)))
  FROM people WHERE company_id = workspace;
  RETURN (SELECT count(*) FROM search_words WHERE company_id = workspace);
END $$;

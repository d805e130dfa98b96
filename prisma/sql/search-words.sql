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

-- Bulk capture inserts many rows with one statement, so what was inserted is split in one statement, too.
CREATE OR REPLACE FUNCTION add_search_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'rooms' THEN
    INSERT INTO search_words (company_id, kind, word, object_id)
    SELECT n.company_id, 1, w.word, n.id FROM inserted n CROSS JOIN unnest(search_words_of(n.name)) AS w (word)
    ON CONFLICT DO NOTHING;
  ELSE
    INSERT INTO search_words (company_id, kind, word, object_id)
    SELECT n.company_id, 2, w.word, n.id
    FROM inserted n CROSS JOIN unnest(search_words_of(concat_ws(' ', n.title, n.prospect_name))) AS w (word)
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

-- A session keeps the plan, and the table may be empty when it makes it.
CREATE OR REPLACE FUNCTION replace_search_words(workspace int, what smallint, object uuid, before text, after text) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  DELETE FROM search_words
  WHERE company_id = workspace AND kind = what AND word = ANY (search_words_of(before)) AND object_id = object
    AND word <> ALL (search_words_of(after));
  INSERT INTO search_words (company_id, kind, word, object_id)
  SELECT workspace, what, word, object FROM unnest(search_words_of(after)) AS w (word)
  ON CONFLICT DO NOTHING;
END $$;

CREATE OR REPLACE FUNCTION rename_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM replace_search_words(OLD.company_id, 1::smallint, OLD.id, OLD.name, CASE TG_OP WHEN 'UPDATE' THEN NEW.name END);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION rename_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM replace_search_words(OLD.company_id, 2::smallint, OLD.id, concat_ws(' ', OLD.title, OLD.prospect_name),
    CASE TG_OP WHEN 'UPDATE' THEN concat_ws(' ', NEW.title, NEW.prospect_name) END);
  RETURN NULL;
END $$;

-- People are written one by one, when the transaction of their change commits.
CREATE OR REPLACE FUNCTION rename_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO search_words (company_id, kind, word, object_id)
    SELECT NEW.company_id, 3, word, NEW.id FROM unnest(search_words_of(concat_ws(' ', NEW.name, NEW.email))) AS w (word)
    ON CONFLICT DO NOTHING;
  ELSE
    PERFORM replace_search_words(OLD.company_id, 3::smallint, OLD.id, concat_ws(' ', OLD.name, OLD.email),
      CASE TG_OP WHEN 'UPDATE' THEN concat_ws(' ', NEW.name, NEW.email) END);
  END IF;
  RETURN NULL;
END $$;

-- What moves a row in its feed names none of these columns, so it does not even reach the condition.
CREATE OR REPLACE TRIGGER add_search_words AFTER INSERT ON rooms
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION add_search_words();
CREATE OR REPLACE TRIGGER rename_room AFTER UPDATE OF name ON rooms
  FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION rename_room();
CREATE OR REPLACE TRIGGER forget_search_words AFTER DELETE ON rooms FOR EACH ROW EXECUTE FUNCTION rename_room();

CREATE OR REPLACE TRIGGER add_search_words AFTER INSERT ON calls
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION add_search_words();
CREATE OR REPLACE TRIGGER rename_call AFTER UPDATE OF title, prospect_name ON calls
  FOR EACH ROW WHEN ((OLD.title, OLD.prospect_name) IS DISTINCT FROM (NEW.title, NEW.prospect_name))
  EXECUTE FUNCTION rename_call();
CREATE OR REPLACE TRIGGER forget_search_words AFTER DELETE ON calls FOR EACH ROW EXECUTE FUNCTION rename_call();

CREATE OR REPLACE TRIGGER add_search_words AFTER INSERT ON people FOR EACH ROW EXECUTE FUNCTION rename_person();
CREATE OR REPLACE TRIGGER rename_person AFTER UPDATE OF name, email ON people
  FOR EACH ROW WHEN ((OLD.name, OLD.email) IS DISTINCT FROM (NEW.name, NEW.email))
  EXECUTE FUNCTION rename_person();
CREATE OR REPLACE TRIGGER forget_search_words AFTER DELETE ON people FOR EACH ROW EXECUTE FUNCTION rename_person();

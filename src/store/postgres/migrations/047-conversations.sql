-- Conversations with their parts. A part is one addition: what was given, and what a model answered. `parts` counts
-- the parts that are complete. Until `held_until` only the request of `holder` changes the conversation.

CREATE TABLE conversation (
  id text PRIMARY KEY,
  key_id text NOT NULL,
  account_id text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  until bigint NOT NULL,
  metadata text NOT NULL,
  stored bigint NOT NULL,
  parts bigint NOT NULL,
  holder text,
  held_until bigint NOT NULL
);

CREATE INDEX conversation_by_expiry ON conversation (expires_at);

CREATE TABLE conversation_part (
  conversation_id text NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
  part bigint NOT NULL,
  model text NOT NULL,
  input text NOT NULL,
  output text NOT NULL,
  shown_input text NOT NULL,
  shown_output text NOT NULL,
  PRIMARY KEY (conversation_id, part)
);

-- Counts the bytes of a conversation in the sums of its account.
CREATE FUNCTION count_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM lock_stored(ARRAY[NEW.account_id]);
    PERFORM add_stored(NEW.account_id, second_of(NEW.until), NEW.stored);
    RETURN NULL;
  END IF;
  PERFORM lock_stored(ARRAY[OLD.account_id]);
  PERFORM add_stored(OLD.account_id, second_of(OLD.until), -OLD.stored);
  IF TG_OP = 'UPDATE' THEN PERFORM add_stored(NEW.account_id, second_of(NEW.until), NEW.stored); END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER conversation_counted AFTER INSERT OR DELETE OR UPDATE OF stored, until ON conversation
  FOR EACH ROW EXECUTE FUNCTION count_conversation();

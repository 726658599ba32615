-- Conversations with their parts. A part is one addition: what was given, and what a model answered. `parts` counts
-- the parts that are complete. Until `held_until` only the request of `holder` changes the conversation.

CREATE TABLE conversation (
  id TEXT PRIMARY KEY,
  key_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  until INTEGER NOT NULL,
  metadata TEXT NOT NULL,
  stored INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  holder TEXT,
  held_until INTEGER NOT NULL
) STRICT;

CREATE INDEX conversation_by_expiry ON conversation (expires_at);

CREATE TABLE conversation_part (
  conversation_id TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  model TEXT NOT NULL,
  input TEXT NOT NULL,
  output TEXT NOT NULL,
  shown_input TEXT NOT NULL,
  shown_output TEXT NOT NULL,
  PRIMARY KEY (conversation_id, part)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER conversation_added AFTER INSERT ON conversation BEGIN
  INSERT INTO account_storage (account_id, until, bytes)
    VALUES (new.account_id, 0, new.stored), (new.account_id, new.until, new.stored)
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER conversation_changed AFTER UPDATE OF stored, until ON conversation BEGIN
  INSERT INTO account_storage (account_id, until, bytes)
    VALUES (old.account_id, 0, -old.stored), (old.account_id, old.until, -old.stored)
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
  INSERT INTO account_storage (account_id, until, bytes)
    VALUES (new.account_id, 0, new.stored), (new.account_id, new.until, new.stored)
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
  DELETE FROM account_storage WHERE account_id = old.account_id AND until = old.until AND bytes = 0;
END;

CREATE TRIGGER conversation_removed AFTER DELETE ON conversation BEGIN
  INSERT INTO account_storage (account_id, until, bytes)
    VALUES (old.account_id, 0, -old.stored), (old.account_id, old.until, -old.stored)
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
  DELETE FROM account_storage WHERE account_id = old.account_id AND until = old.until AND bytes = 0;
END;

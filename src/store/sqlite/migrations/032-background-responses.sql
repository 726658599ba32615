-- Responses that are made in the background, with the frames of their streams. `parts` counts the parts of frames that
-- are complete. Until `held_until` the process `holder` makes the response.

CREATE TABLE background_response (
  id TEXT PRIMARY KEY,
  request_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  until INTEGER NOT NULL,
  headers TEXT NOT NULL,
  body TEXT NOT NULL,
  status TEXT NOT NULL,
  envelope TEXT NOT NULL,
  stored INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  is_canceled INTEGER NOT NULL,
  holder TEXT,
  held_until INTEGER NOT NULL
) STRICT;

CREATE INDEX background_response_by_expiry ON background_response (expires_at);
CREATE INDEX background_response_unfinished ON background_response (held_until)
  WHERE status IN ('queued', 'in_progress');

CREATE TABLE background_frames (
  response_id TEXT NOT NULL REFERENCES background_response (id) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  last_number INTEGER NOT NULL,
  frames TEXT NOT NULL,
  PRIMARY KEY (response_id, part)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER background_response_added AFTER INSERT ON background_response BEGIN
  INSERT INTO account_storage (account_id, until, bytes)
    VALUES (new.account_id, 0, new.stored), (new.account_id, new.until, new.stored)
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER background_response_changed AFTER UPDATE OF stored, until ON background_response BEGIN
  INSERT INTO account_storage (account_id, until, bytes)
    VALUES (old.account_id, 0, -old.stored), (old.account_id, old.until, -old.stored)
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
  INSERT INTO account_storage (account_id, until, bytes)
    VALUES (new.account_id, 0, new.stored), (new.account_id, new.until, new.stored)
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
  DELETE FROM account_storage WHERE account_id = old.account_id AND until = old.until AND bytes = 0;
END;

CREATE TRIGGER background_response_removed AFTER DELETE ON background_response BEGIN
  INSERT INTO account_storage (account_id, until, bytes)
    VALUES (old.account_id, 0, -old.stored), (old.account_id, old.until, -old.stored)
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
  DELETE FROM account_storage WHERE account_id = old.account_id AND until = old.until AND bytes = 0;
END;

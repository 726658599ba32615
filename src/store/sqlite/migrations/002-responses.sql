-- A turn outlives its response: it is kept until the last response that continues it expires. `turns` and `bytes`
-- count the conversation from its first turn on.

CREATE TABLE response (
  id TEXT PRIMARY KEY,
  key_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  envelope TEXT NOT NULL
) STRICT;

CREATE INDEX response_by_expiry ON response (expires_at);

CREATE TABLE turn (
  id TEXT PRIMARY KEY,
  previous_id TEXT,
  model TEXT NOT NULL,
  input TEXT NOT NULL,
  output TEXT NOT NULL,
  turns INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  kept_until INTEGER NOT NULL
) STRICT;

CREATE INDEX turn_by_previous ON turn (previous_id);
CREATE INDEX turn_by_expiry ON turn (kept_until);

CREATE TABLE response_item (
  id TEXT NOT NULL,
  response_id TEXT NOT NULL REFERENCES response (id) ON DELETE CASCADE,
  PRIMARY KEY (id, response_id)
) STRICT;

CREATE INDEX response_item_by_response ON response_item (response_id);

-- When each key was last used. A table of its own, since it changes every minute and is no part of a key's version.

CREATE TABLE key_use (
  key_id TEXT PRIMARY KEY,
  used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

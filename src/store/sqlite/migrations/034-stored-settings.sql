-- Providers and models that operators have made by form or API. `settings` is JSON without secrets. `secrets` is the encrypted
-- JSON of the fields that are secrets, bound to the row and to its settings.

CREATE TABLE stored_setting (
  kind TEXT NOT NULL CHECK (kind IN ('provider', 'model')),
  id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  settings TEXT NOT NULL,
  secrets TEXT,
  secrets_set_at INTEGER,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- Settings of the kind `content-key` have the encrypted key of stored content. The check of a column cannot be changed in place.

CREATE TABLE setting_of_more_kinds (
  kind TEXT NOT NULL CHECK (kind IN ('provider', 'model', 'content-key')),
  id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  settings TEXT NOT NULL,
  secrets TEXT,
  secrets_set_at INTEGER,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

INSERT INTO setting_of_more_kinds SELECT * FROM stored_setting;
DROP TABLE stored_setting;
ALTER TABLE setting_of_more_kinds RENAME TO stored_setting;

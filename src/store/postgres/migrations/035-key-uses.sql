-- When each key was last used. The free space of a page lets an update stay on it.

CREATE TABLE key_use (
  key_id text PRIMARY KEY,
  used_at bigint NOT NULL
) WITH (fillfactor = 70);

-- The prompts that the members of an organization share on the playground. `content` is JSON.

CREATE TABLE saved_prompt (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  revision INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  changed_by TEXT NOT NULL,
  UNIQUE (account_id, name)
) STRICT;

-- The prompts that the members of an organization share on the playground. `content` is JSON.

CREATE TABLE saved_prompt (
  id text COLLATE "C" NOT NULL PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  content text NOT NULL,
  revision bigint NOT NULL,
  changed_at bigint NOT NULL,
  changed_by text NOT NULL,
  UNIQUE (account_id, name)
);

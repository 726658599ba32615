-- Providers and models that operators have made by form or API. `settings` is JSON without secrets. `secrets` is the encrypted
-- JSON of the fields that are secrets, bound to the row and to its settings.

CREATE TABLE stored_setting (
  kind text NOT NULL CHECK (kind IN ('provider', 'model')),
  id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  settings text NOT NULL,
  secrets text,
  secrets_set_at bigint,
  changed_at bigint NOT NULL,
  PRIMARY KEY (kind, id)
);

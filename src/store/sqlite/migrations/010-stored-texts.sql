-- Long lists of a turn are stored apart from its row, in parts that hold whole items. A page of items is then read
-- without the rest, and extending a turn's life does not rewrite its texts. A list that is not empty in `turn` has no
-- parts. `items` counts the items in a listing of the conversation, from its first turn to this one's output. It is
-- null for turns of earlier versions until a listing needs it (`indexLine`). `stored` is the size that a row counts
-- against its account's quota. It is null for rows of earlier versions, which are not counted and expire within a
-- day.

CREATE TABLE turn_part (
  turn_id TEXT NOT NULL REFERENCES turn (id) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  is_output INTEGER NOT NULL CHECK (is_output IN (0, 1)),
  items INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX turn_part_by_turn ON turn_part (turn_id, part, is_output, items);

ALTER TABLE turn ADD COLUMN input_items INTEGER;
ALTER TABLE turn ADD COLUMN output_items INTEGER;
ALTER TABLE turn ADD COLUMN items INTEGER;
ALTER TABLE turn ADD COLUMN account_id TEXT;
ALTER TABLE turn ADD COLUMN stored INTEGER;
ALTER TABLE response ADD COLUMN account_id TEXT;
ALTER TABLE response ADD COLUMN stored INTEGER;
ALTER TABLE batch ADD COLUMN stored INTEGER;

CREATE INDEX turn_by_account ON turn (account_id, kept_until, stored) WHERE account_id IS NOT NULL;
CREATE INDEX response_by_account ON response (account_id, expires_at, stored) WHERE account_id IS NOT NULL;
CREATE INDEX batch_by_account ON batch (account_id, expires_at);

CREATE TABLE account_storage (
  account_id TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

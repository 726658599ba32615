import type { Migration } from '../migration.ts';

/**
 * Long lists of a turn stand apart from it, in parts that hold whole items: a page of items is read without the rest, and a turn that is
 * kept longer is not written again with its texts. A list that is not empty in `turn` has no parts. `items` counts what a listing of the
 * conversation shows, from its first turn to this one's output. It is null for turns of before, until somebody asks (`indexLine`).
 *
 * `stored` is what a row takes of its account's quota. It is null for rows of before, which nobody counts: they are gone within a day.
 */
export const storedTexts: Migration = {
  number: 9,
  name: 'stored-texts',
  sql: `
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
  `,
};

import type { Migration } from '../migration.ts';

/**
 * Entries are never changed. A bucket is what an account's entries of one period add up to, and `usage_hour` what its usage entries of an
 * hour do: both are written in the transaction of the entry. `open_hold` has those that a crash would leave behind.
 */
export const ledger: Migration = {
  number: 3,
  name: 'ledger',
  sql: `
    CREATE TABLE entry (
      account_id TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      id TEXT NOT NULL,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      period TEXT NOT NULL,
      microcredits INTEGER NOT NULL,
      receipt TEXT,
      reason TEXT,
      hash TEXT NOT NULL,
      PRIMARY KEY (account_id, sequence)
    ) STRICT, WITHOUT ROWID;

    CREATE UNIQUE INDEX entry_by_id ON entry (id);

    CREATE TABLE bucket (
      account_id TEXT NOT NULL,
      period TEXT NOT NULL,
      granted INTEGER NOT NULL,
      used INTEGER NOT NULL,
      PRIMARY KEY (account_id, period)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE usage_hour (
      account_id TEXT NOT NULL,
      key_id TEXT NOT NULL,
      hour INTEGER NOT NULL,
      model TEXT NOT NULL,
      requests INTEGER NOT NULL,
      input_tokens INTEGER NOT NULL,
      cached_input_tokens INTEGER NOT NULL,
      output_tokens INTEGER NOT NULL,
      microcredits INTEGER NOT NULL,
      PRIMARY KEY (account_id, key_id, hour, model)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE open_hold (
      request_id TEXT PRIMARY KEY,
      checkpoint TEXT NOT NULL
    ) STRICT;
  `,
};

import type { PostgresMigration } from '../migration.ts';
import { giveFunctions } from './011-give-functions.ts';
import { holdFunctions } from './011-hold-functions.ts';
import { settleFunction } from './011-settle-function.ts';

/**
 * Entries are never changed. `text` is the hashed JSON array (`money/ledger/entry-text.ts`), and `hash` covers the hash of the account's
 * previous entry. `xid` orders entries by commit for the sums of hours and days. Balances change in the transaction of their entry.
 * `open_hold` has the holds that reserve an amount, and all holds that have been open for a second. `node` is empty for the hold of an item
 * at a provider whose node has ended.
 */
export const ledger: PostgresMigration = {
  number: 11,
  name: 'ledger',
  sql: `
    CREATE SEQUENCE entry_number
    --;
    CREATE TABLE entry (
      number bigint PRIMARY KEY DEFAULT nextval('entry_number'),
      id text NOT NULL UNIQUE,
      account_id text NOT NULL,
      sequence bigint NOT NULL,
      at bigint NOT NULL,
      posted_at bigint NOT NULL DEFAULT now_ms(),
      node text NOT NULL,
      text text NOT NULL,
      hash text NOT NULL,
      xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
      UNIQUE (account_id, sequence)
    )
    --;
    CREATE TABLE account_head (
      account_id text PRIMARY KEY,
      sequence bigint NOT NULL,
      number bigint NOT NULL,
      hash text NOT NULL
    ) WITH (fillfactor = 50)
    --;
    CREATE TABLE bucket (
      account_id text NOT NULL,
      period text NOT NULL,
      granted bigint NOT NULL DEFAULT 0,
      used bigint NOT NULL DEFAULT 0,
      held bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (account_id, period)
    ) WITH (fillfactor = 50)
    --;
    CREATE TABLE key_month (
      key_id text NOT NULL,
      month text NOT NULL,
      account_id text NOT NULL,
      used bigint NOT NULL DEFAULT 0,
      held bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (key_id, month)
    ) WITH (fillfactor = 50)
    --;
    CREATE TABLE token_day (
      account_id text PRIMARY KEY,
      day bigint NOT NULL,
      tokens bigint NOT NULL
    ) WITH (fillfactor = 50)
    --;
    CREATE TABLE open_hold (
      request_id text PRIMARY KEY,
      node text NOT NULL,
      account_id text NOT NULL,
      key_id text NOT NULL,
      pays text NOT NULL,
      period text NOT NULL,
      month text NOT NULL,
      microcredits bigint NOT NULL,
      is_capped boolean NOT NULL,
      at bigint NOT NULL,
      checkpoint text,
      produced boolean NOT NULL DEFAULT false,
      away_batch bigint,
      away_number bigint
    )
    --;
    CREATE INDEX open_hold_by_node ON open_hold (node)
    --;
    CREATE INDEX open_hold_by_account ON open_hold (account_id)
    --;
    ${settleFunction}
    --;
    ${giveFunctions}
    --;
    ${holdFunctions}
  `,
};

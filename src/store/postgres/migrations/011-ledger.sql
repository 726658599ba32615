-- Entries are never changed. `text` is the hashed JSON array (`money/ledger/entry-text.ts`), and `hash` covers the
-- hash of the account's previous entry. `xid` orders entries by commit for the sums of hours and days. Balances
-- change in the transaction of their entry. `open_hold` has the holds that reserve an amount, and all holds that have
-- been open for a second. `node` is empty for the hold of an item at a provider whose node has ended.

CREATE SEQUENCE entry_number;

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
);

CREATE TABLE account_head (
  account_id text PRIMARY KEY,
  sequence bigint NOT NULL,
  number bigint NOT NULL,
  hash text NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE bucket (
  account_id text NOT NULL,
  period text NOT NULL,
  granted bigint NOT NULL DEFAULT 0,
  used bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, period)
) WITH (fillfactor = 50);

CREATE TABLE key_month (
  key_id text NOT NULL,
  month text NOT NULL,
  account_id text NOT NULL,
  used bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (key_id, month)
) WITH (fillfactor = 50);

CREATE TABLE token_day (
  account_id text PRIMARY KEY,
  day bigint NOT NULL,
  tokens bigint NOT NULL
) WITH (fillfactor = 50);

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
);

CREATE INDEX open_hold_by_node ON open_hold (node);
CREATE INDEX open_hold_by_account ON open_hold (account_id);

-- A posting, as `posting-piece.ts` writes it. The text of an entry is a JSON array, whose sequence number and charge the
-- database adds.
CREATE TYPE posting_piece AS (
  id text,        -- the id of the entry
  rq text,        -- the id of the request
  ac text,        -- the id of the account
  at bigint,      -- the time of the request
  pd text,        -- the balance that pays: the id of a cycle, or `purchased`
  ky text,        -- the id of the key
  mo text,        -- the calendar month of the request
  pu boolean,     -- purchased credit pays
  cp bigint,      -- the cap of the key; null if it has none
  ct bigint,      -- the cost
  tk bigint,      -- the tokens, for the day of the account
  dn bigint,      -- the day of the request
  t1 text,        -- the text before the sequence number
  t2 text,        -- the text from there to the charge
  t3 text,        -- the text from there to the bound of the charge
  fl text,        -- the flags of the receipt, after the bound
  ri text,        -- the id of the renewal entry that opens the cycle
  r2 text,        -- the text of the renewal entry after its sequence number
  re boolean,     -- the cycle has an end, so its beginning can be a renewal
  kept boolean,   -- the hold can have a row in `open_hold`
  est boolean,    -- the posting is an estimate of a request that was interrupted
  jb jsonb,       -- the result of an item of a batch, for `finish_item`
  rs jsonb        -- the response to store, for `insert_response`
);

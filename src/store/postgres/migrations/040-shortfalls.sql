-- Charges below their list cost, by entry, and the accounts whose hosted tools are stopped because of them.

ALTER TABLE account ADD COLUMN hosted_tools_stopped boolean NOT NULL DEFAULT false;

CREATE TABLE shortfall (
  entry_id text PRIMARY KEY,
  account_id text NOT NULL,
  at bigint NOT NULL,
  microcredits bigint NOT NULL
);

CREATE INDEX shortfall_by_account ON shortfall (account_id, at);

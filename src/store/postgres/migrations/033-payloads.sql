-- The content of requests, compressed with Zstandard, and the accounts whose content is kept.

CREATE TABLE payload_account (account_id text COLLATE "C" PRIMARY KEY);

CREATE TABLE payload (
  request_id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  content bytea NOT NULL
);

ALTER TABLE payload ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE INDEX payload_by_account ON payload (account_id, at);
CREATE INDEX payload_by_time ON payload (at);

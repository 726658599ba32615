-- Sums replace indexes. `account_storage` has each account's total (`until` 0), and its sums by time of expiry in
-- steps of about a second (`expiryStep`). A write that stores something changes two adjacent rows.

DROP INDEX turn_by_account;
DROP INDEX response_by_account;
DROP INDEX batch_by_account;
DROP TABLE account_storage;

CREATE TABLE account_storage (
  account_id TEXT NOT NULL,
  until INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (account_id, until)
) STRICT, WITHOUT ROWID;

INSERT INTO account_storage (account_id, until, bytes)
WITH dated (account_id, stored, expires_at, step) AS (
  SELECT account_id, stored, expires_at, max(1, (expires_at - created_at) / 86400) FROM response
  UNION ALL
  SELECT account_id, stored, expires_at, max(1, (expires_at - created_at) / 86400) FROM batch
),
kept (account_id, until, stored) AS (
  SELECT account_id, (expires_at + step - 1) / step * step, stored FROM dated
  UNION ALL
  SELECT account_id, kept_until, stored FROM turn
)
SELECT account_id, until, SUM(stored) FROM kept
WHERE account_id IS NOT NULL AND stored > 0 GROUP BY account_id, until;

INSERT INTO account_storage (account_id, until, bytes)
SELECT account_id, 0, SUM(bytes) FROM account_storage GROUP BY account_id;

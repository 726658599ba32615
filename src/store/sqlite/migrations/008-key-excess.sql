-- The amount charged on a key beyond its cap, by the start of the calendar month. Hourly and daily sums include the
-- whole charge; the key's month counts the charge less this amount. Most keys have no row.

CREATE TABLE key_excess (
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  month INTEGER NOT NULL,
  microcredits INTEGER NOT NULL,
  PRIMARY KEY (account_id, key_id, month)
) STRICT, WITHOUT ROWID;

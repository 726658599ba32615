-- `seal` is a checksum over the other columns (`ledger/seal.ts`). The seal of `confirmed` also covers all ranges in
-- `unconfirmed`. From this version on, `summed` and `confirmed` are always numbers of existing entries. An account in
-- `quarantine` is not served until it is repaired.

ALTER TABLE summed ADD COLUMN seal TEXT NOT NULL DEFAULT '';
ALTER TABLE confirmed ADD COLUMN seal TEXT NOT NULL DEFAULT '';
ALTER TABLE open_hold ADD COLUMN seal TEXT NOT NULL DEFAULT '';

UPDATE summed SET number = (SELECT COALESCE(MAX(entry.number), 0) FROM entry WHERE entry.number <= summed.number);

UPDATE confirmed
SET number = (SELECT COALESCE(MAX(entry.number), 0) FROM entry WHERE entry.number <= confirmed.number);

CREATE TABLE quarantine (
  account_id TEXT PRIMARY KEY,
  since INTEGER NOT NULL,
  reason TEXT NOT NULL,
  seal TEXT NOT NULL
) STRICT, WITHOUT ROWID;

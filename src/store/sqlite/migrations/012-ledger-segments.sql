-- Entries of closed months are moved into files. A row names the file with the entries from `first` to `last`, which
-- follow those of the row before. From then on the file counts. Rows of `entry` up to `last` are copies that remain
-- until they are deleted.

CREATE TABLE ledger_segment (
  first INTEGER PRIMARY KEY,
  last INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  file TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  seal TEXT NOT NULL
) STRICT;

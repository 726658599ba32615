-- A node names the day of its program's commit. Nodes of earlier versions leave it empty.

ALTER TABLE node ADD COLUMN commit_date text;

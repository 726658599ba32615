-- The number of changes that an entry of the audit log stands for.

ALTER TABLE audit ADD COLUMN changes INTEGER NOT NULL DEFAULT 1;

-- Counts the keys of an account in the transaction that adds one. Counts the changes that an entry of the audit log
-- stands for, and joins only changes of ordinary fields.

ALTER TABLE audit ADD COLUMN changes integer NOT NULL DEFAULT 1;

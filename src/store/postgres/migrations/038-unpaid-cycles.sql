-- The time from which the cycles of an account are not paid.

ALTER TABLE account ADD COLUMN unpaid_from bigint;

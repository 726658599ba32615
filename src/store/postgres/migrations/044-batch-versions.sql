-- A batch keeps the version of the protocol that its creating request named.

ALTER TABLE batch ADD COLUMN protocol_version text;

-- Settings of the kind `content-key` have the encrypted key of stored content.

ALTER TABLE stored_setting DROP CONSTRAINT stored_setting_kind_check;
ALTER TABLE stored_setting ADD CONSTRAINT stored_setting_kind_check CHECK (kind IN ('provider', 'model', 'content-key'));

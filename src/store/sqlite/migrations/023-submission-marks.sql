-- What finds a submission at its provider if the provider's answer was lost.

ALTER TABLE native_submission ADD COLUMN mark TEXT;
ALTER TABLE native_submission ADD COLUMN sent_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE native_submission ADD COLUMN size INTEGER NOT NULL DEFAULT 0;

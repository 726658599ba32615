-- What finds a submission at its provider if the provider's answer was lost.

ALTER TABLE native_submission
  ADD COLUMN mark text,
  ADD COLUMN sent_at bigint NOT NULL DEFAULT 0,
  ADD COLUMN size integer NOT NULL DEFAULT 0;

-- Responses that are made in the background, with the frames of their streams. `parts` counts the parts of frames that
-- are complete. Until `held_until` the process `holder` makes the response.

CREATE TABLE background_response (
  id text PRIMARY KEY,
  request_id text NOT NULL,
  key_id text NOT NULL,
  account_id text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  until bigint NOT NULL,
  headers text NOT NULL,
  body text NOT NULL,
  status text NOT NULL,
  envelope text NOT NULL,
  stored bigint NOT NULL,
  parts bigint NOT NULL,
  attempts bigint NOT NULL,
  is_canceled bigint NOT NULL,
  holder text,
  held_until bigint NOT NULL
);

CREATE INDEX background_response_by_expiry ON background_response (expires_at);
CREATE INDEX background_response_unfinished ON background_response (held_until)
  WHERE status IN ('queued', 'in_progress');

CREATE TABLE background_frames (
  response_id text NOT NULL REFERENCES background_response (id) ON DELETE CASCADE,
  part bigint NOT NULL,
  last_number bigint NOT NULL,
  frames text NOT NULL,
  PRIMARY KEY (response_id, part)
);

-- The function reads only columns that both tables have.
CREATE TRIGGER background_response_counted AFTER INSERT OR DELETE OR UPDATE OF stored, until ON background_response
  FOR EACH ROW EXECUTE FUNCTION count_conversation();

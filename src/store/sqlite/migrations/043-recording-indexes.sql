-- An index with a condition is read only by statements that have the same condition. The conditions are those of
-- `stored-recordings.ts`: a retry finds its answer, and the sums of kept answers are read from an index alone.

DROP INDEX recorded_answer_by_body;
CREATE INDEX recorded_answer_by_body ON recorded_answer (key_id, body_hash) WHERE is_joinable;

DROP INDEX recorded_answer_by_account;
CREATE INDEX recorded_answer_replays
  ON recorded_answer (account_id, created_at, request_id, bytes, is_resumable, state, replays_until)
  WHERE state = 'made' AND replays_until > 0;
CREATE INDEX recorded_answer_streams ON recorded_answer (created_at, request_id, bytes, state, is_resumable)
  WHERE state <> 'running' AND is_resumable;

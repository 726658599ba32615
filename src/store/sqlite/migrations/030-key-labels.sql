-- A key can belong to a member, and gives tags to its requests.

ALTER TABLE api_key ADD COLUMN person_id TEXT;
ALTER TABLE api_key ADD COLUMN tags TEXT;

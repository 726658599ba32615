-- The order in which the dashboard lists an organization's stored responses and batches.

CREATE INDEX response_by_account ON response (account_id, created_at, id);
CREATE INDEX batch_by_account ON batch (account_id, sequence);

-- `provider_share` divides a provider's slots among the nodes. A node uses no more than `granted`, and the sum of all
-- grants never exceeds the limit. A node lowers its own grant when it synchronizes, so that a grant can grow only by
-- what others have given back. `sync_shares` takes `[[provider, limit, in use, waiting paid requests, waiting others,
-- kept], …]`: the node uses no more than `kept` during the call. It returns `[[provider, granted, wanted, whether
-- paid requests wait elsewhere, whether any wait elsewhere, whether the grants exceed the limit], …]`.

CREATE TABLE provider_share (
  provider text NOT NULL,
  node text NOT NULL,
  slots integer NOT NULL,
  granted integer NOT NULL,
  in_use integer NOT NULL,
  waiting_paid integer NOT NULL,
  waiting_other integer NOT NULL,
  PRIMARY KEY (provider, node)
) WITH (fillfactor = 50);

-- Alerts of an organization and alerts of the gateway do not replace each other. `owner` is the organization's
-- account, or '' for the gateway. `due_at` is the time at which a delivery was first due; the limit per hour follows
-- from it. Nodes of the version before call `add_alert`, which stays for them.

ALTER TABLE alert ADD COLUMN owner text NOT NULL DEFAULT '';
ALTER TABLE alert_delivery ADD COLUMN is_organization integer NOT NULL DEFAULT 0,
  ADD COLUMN due_at bigint NOT NULL DEFAULT 0;

CREATE INDEX alert_by_owner ON alert (owner, sequence);
CREATE INDEX alert_delivery_by_webhook ON alert_delivery (webhook, is_organization, due_at);

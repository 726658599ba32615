-- Alerts of an organization and alerts of the gateway do not replace each other. `owner` is the organization's
-- account, or '' for the gateway. `due_at` is the time at which a delivery was first due; the limit per hour follows
-- from it.

ALTER TABLE alert ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE alert_delivery ADD COLUMN is_organization INTEGER NOT NULL DEFAULT 0;
ALTER TABLE alert_delivery ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0;

CREATE INDEX alert_by_owner ON alert (owner, sequence);
CREATE INDEX alert_delivery_by_webhook ON alert_delivery (webhook, is_organization, due_at);

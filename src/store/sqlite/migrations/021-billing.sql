-- Records of billing: customers at the payment service, its messages, started checkouts, automatic purchases, and the
-- receivers of an organization's alerts. `body` is JSON. `due_at` is the time at which a worker looks at the record.

CREATE TABLE billing_record (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  account_id TEXT,
  reference TEXT,
  due_at INTEGER,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX billing_record_by_reference ON billing_record (kind, reference) WHERE reference IS NOT NULL;
CREATE INDEX billing_record_by_due ON billing_record (kind, due_at) WHERE due_at IS NOT NULL;

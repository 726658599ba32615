-- Records of billing: customers at the payment service, its messages, started checkouts, automatic purchases, and the
-- receivers of an organization's alerts. `body` is JSON. `due_at` is the time at which a worker looks at the record.

CREATE TABLE billing_record (
  kind text NOT NULL,
  id text COLLATE "C" NOT NULL,
  account_id text,
  reference text,
  due_at bigint,
  created_at bigint NOT NULL,
  version bigint NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (kind, id)
);

CREATE UNIQUE INDEX billing_record_by_reference ON billing_record (kind, reference) WHERE reference IS NOT NULL;
CREATE INDEX billing_record_by_due ON billing_record (kind, due_at) WHERE due_at IS NOT NULL;

export type AuditEntry = {
  at: number;
  /** Who did it: `admin`, `bootstrap`, a person's sign-in. */
  actor: string;
  /** What was done, noun then verb: `account-create`, `key-revoke`. */
  action: string;
  /** The id of what was changed. */
  target: string;
  before: unknown;
  after: unknown;
};

export type AuditRecord = AuditEntry & { id: string };

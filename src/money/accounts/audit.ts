export type AuditEntry = {
  at: number;
  /** The origin of the change: `admin`, `bootstrap`, or a person's sign-in. */
  actor: string;
  /** The change, noun then verb: `account-create`, `key-revoke`. */
  action: string;
  /** The id of the changed record. */
  target: string;
  before: unknown;
  after: unknown;
};

export type AuditRecord = AuditEntry & { id: string };

/** Selects entries. Each part that is present must fit. */
export type AuditFilter = {
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  /** A time in milliseconds, inclusive. */
  since?: number | undefined;
  /** A time in milliseconds, inclusive. */
  until?: number | undefined;
};

/** Removes entries from before a time, at most `limit` of them, and returns how many it removed. */
export type AuditSweep = {
  sweepAudit(options: { recordedBefore: number; limit: number }): Promise<number>;
};

/** Repeated changes of one field by one actor within this time are one entry. */
export const JOINED_MS = 600_000;

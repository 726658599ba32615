/** The storage port for the retention of the audit log. */
export type AuditSweep = {
  /** Removes entries from before a time, at most `limit` of them, and returns how many it removed. */
  sweepAudit(options: { recordedBefore: number; limit: number }): Promise<number>;
};

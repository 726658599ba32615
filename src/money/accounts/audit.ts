export type AuditEntry = {
  at: number;
  /**
   * The origin of the change: `admin`, `bootstrap`, or a person's address. `unknown`: nobody was identified.
   */
  actor: string;
  /** The change, noun then verb: `account-create`, `key-revoke`. */
  action: string;
  /** The id of the changed record. */
  target: string;
  before: unknown;
  after: unknown;
};

export type AuditRecord = AuditEntry & {
  id: string;
  /**
   * The number of changes that the entry stands for.
   * It has the state before the first and after the last one.
   */
  changes: number;
};

/**
 * An event that can be repeated often.
 * Its entry has the details, how often it happened as `times`, and `lastAt`.
 */
export type RepeatedEvent = Pick<AuditEntry, 'at' | 'actor' | 'action' | 'target'> & {
  details: Readonly<Record<string, string | number | null>>;
  times: number;
};

/** Returns the entry of an event that has not happened since `JOINED_MS`. */
export const entryOfEvent = ({ details, times, ...event }: RepeatedEvent): AuditEntry => ({
  ...event,
  before: null,
  after: { ...details, times, lastAt: event.at },
});

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

/**
 * Repeated changes of one ordinary field by one actor, and repetitions of an event,
 * within this time are one entry.
 */
export const JOINED_MS = 600_000;

/**
 * The actions whose repetitions are joined.
 * Changes of roles, passwords, addresses and the configuration are never joined.
 */
export const JOINED_ACTIONS: ReadonlySet<string> = new Set([
  'account-change',
  'key-change',
  'auto-reload-change',
  'alert-receivers-change',
]);

/** Changes of these fields are always entries of their own. */
export const SEPARATE_FIELDS: ReadonlySet<string> = new Set(['status', 'email', 'emailVerified', 'role']);

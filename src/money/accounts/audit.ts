import type { AuditAction } from './audit-action.ts';

/** A change, or an event that changes nothing, as it is written to the audit log. */
export type AuditEntry = {
  at: number;
  /**
   * The origin of the change: `admin`, `bootstrap`, or a person's address. `unknown`: nobody was identified.
   */
  actor: string;
  action: AuditAction;
  /** The id of the changed record. */
  target: string;
  before: unknown;
  after: unknown;
};

/** The part of an entry that the caller of a change gives. */
export type AuditedAction = Pick<AuditEntry, 'actor' | 'action'>;

/** A change of a record, or its creation. */
export type AuditedChange<Item> = AuditedAction & {
  /** Undefined if the record was created. */
  before?: Item;
  after: Item;
};

/** An entry as it is read from the audit log. */
export type AuditRecord = Omit<AuditEntry, 'action'> & {
  id: string;
  /** An action of this version or of an earlier one. */
  action: string;
  /**
   * The number of changes that the entry stands for.
   * It has the state before the first and after the last one.
   */
  changes: number;
};

/** Selects records. Each part that is present must fit. */
export type AuditFilter = {
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  /** A time in milliseconds, inclusive. */
  since?: number | undefined;
  /** A time in milliseconds, inclusive. */
  until?: number | undefined;
};

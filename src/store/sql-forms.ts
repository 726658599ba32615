import type { AuditEntry } from '../money/accounts/audit.ts';
import type { RepeatedEvent } from '../money/accounts/repeated-event.ts';
import type { CommonStatement, StatementSteps } from './common-queries.ts';

/**
 * The parts of statements that kinds of databases write differently. Parameters and columns are passed as
 * they are written in the statement.
 */
export type SqlForms = {
  /** Returns the text with its ASCII letters in lower case. */
  lower(text: string): string;
  /**
   * The function that returns where a text has a part, counted from 1.
   * It returns 0 if the text does not have it.
   */
  position: 'instr' | 'strpos';
  /**
   * Locks the selected rows until the transaction ends, and leaves out those that another process has locked.
   */
  skipLocked: string;
  /** Locks the selected rows until the transaction ends. */
  forUpdate: string;
  /**
   * Returns a condition that is always true.
   * It locks the stored bytes of an account until the transaction ends.
   */
  lockStored(account: string): string;
  /**
   * The text of a statement: changes that take the lock of the same name run one after another, even those of
   * other processes.
   */
  takeLock: string;
  /** The text of a statement that makes other processes drop their copies of a key. */
  announceKey: string;
  /** Returns rows with these columns, read from a parameter that is an array of objects in JSON. */
  rowsOf(parameter: string, columns: Readonly<Record<string, 'text' | 'bigint'>>): string;
  /** Returns rows whose column `value` has the elements of a list in JSON, read from a parameter. */
  elementsOf(parameter: string): string;
  /** True if several processes write to the database. Each row of the ledger then names its node. */
  isShared: boolean;
  /** Returns the table. A planner without statistics has to read it by the index. */
  indexed(table: string, index: string): string;
  /**
   * Returns a condition: the account has fewer than `limit` keys that work.
   * It counts the keys of other transactions too.
   */
  hasSpaceForKey(space: { account: string; now: string; limit: string }): string;
  /** The end of an insertion: no other process can insert a token with the same name at this moment. */
  unlessNameInUse: string;
  audit: AuditForms;
};

export type AuditForms = {
  /** Adds an entry, or joins it to an entry for an earlier change of the same field. */
  record(entry: AuditEntry): StatementSteps<void>;
  /** Returns conditions on the number and the time of an entry. `before` is exclusive. */
  range(range: { before: string } & { [bound in 'since' | 'until']?: string }): string[];
  /**
   * Raises the count of an entry for the same event within `JOINED_MS`.
   * Returns a row if there is such an entry.
   */
  raise(event: RepeatedEvent): CommonStatement;
};

import type { AuditEntry } from '../../money/accounts/audit.ts';
import type { PeopleTable, RowOf } from './people-tables.ts';

export type PeopleValue = string | number | boolean | null;
/** A row, or a part of one, of any table. `RowOf` is the row of a known table. */
export type PeopleRow = Readonly<Record<string, PeopleValue>>;

/** The comparisons of a column with a value, by the names that the sign-in library uses. */
export const peopleComparisons = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'not_in'] as const;
export type PeopleComparison = (typeof peopleComparisons)[number];

/** A test of a column. A row fits if it passes all tests without `isAlternative`, and one test with it. */
export type PeopleTest = {
  column: string;
  is?: PeopleComparison;
  value: PeopleValue | readonly PeopleValue[];
  isAlternative?: boolean;
};

export type PeopleQuery = {
  where?: readonly PeopleTest[];
  sort?: { column: string; descending?: boolean };
  limit?: number;
  offset?: number;
};

/**
 * One step of a change. `rows` is the number of rows that the step must change. An insert must always add its
 * row. With `isOne`, the step changes only one of several fitting rows, and the table must have an id.
 */
export type PeopleWrite =
  | { kind: 'insert'; table: PeopleTable; row: PeopleRow }
  | { kind: 'delete'; table: PeopleTable; where: readonly PeopleTest[]; isOne?: boolean; rows?: number }
  | {
      kind: 'update';
      table: PeopleTable;
      where: readonly PeopleTest[];
      set: PeopleRow;
      /** Numbers that are added to columns. */
      add?: Readonly<Record<string, number>>;
      isOne?: boolean;
      rows?: number;
    }
  /** Requires that at least one row fits, or that at most `limit` rows do. */
  | { kind: 'expect'; table: PeopleTable; where: readonly PeopleTest[]; limit?: number };

/**
 * Revokes the keys that the fitting rows of `client_token` name, after the steps. Each has an entry of its
 * own in the audit log.
 */
export type KeyRevocation = { where: readonly PeopleTest[]; at: number; actor: string };

export type PeopleChange = {
  writes: readonly PeopleWrite[];
  revokes?: KeyRevocation;
  audit?: readonly AuditEntry[];
  /** The name of a lock. Changes with the same lock run one after another, in all processes. */
  lock?: string;
};

/** The number of attempts under a name since its window began, and the end of the window. */
export type AttemptCount = { count: number; until: number };

/** The storage port for people, their sessions, memberships and invitations. */
export interface PeopleStore {
  findPeople<Table extends PeopleTable>(table: Table, query?: PeopleQuery): Promise<RowOf<Table>[]>;
  countPeople(table: PeopleTable, where?: readonly PeopleTest[]): Promise<number>;
  /**
   * Makes all steps and writes the audit entries in one transaction. Returns the changed rows of each step.
   * `conflict`: a step did not change what it must, and nothing is changed.
   */
  changePeople(change: PeopleChange): Promise<PeopleRow[][] | 'conflict'>;
  /** Counts an attempt. A new window of `windowMs` begins when the previous window has ended. */
  countAttempt(name: string, now: number, windowMs: number): Promise<AttemptCount>;
}

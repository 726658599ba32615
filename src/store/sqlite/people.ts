import type {
  AttemptCount,
  KeyRevocation,
  PeopleChange,
  PeopleQuery,
  PeopleRow,
  PeopleStore,
  PeopleTest,
  PeopleValue,
} from '../../customers/people/people-store.ts';
import type { PeopleTable } from '../../customers/people/people-tables.ts';
import { auditOfKey } from '../../money/accounts/audit-of-key.ts';
import { keyOfRow } from '../key-rows.ts';
import {
  countAttemptSql,
  isDone,
  PeopleConflict,
  type PeopleSql,
  PeopleStatement,
  peopleRowOf,
  selectRevoked,
} from '../people-statement.ts';
import { insertAudit } from './audit.ts';
import type { Row, SqliteConnection } from './connection.ts';
import type { GroupCommitWriter } from './group-commit-writer.ts';
import { updateKey } from './keys.ts';
import { withSqliteProblems } from './sqlite-problem.ts';

const sql: PeopleSql = {
  place: (number) => `?${number}`,
  encode: (value) => (typeof value === 'boolean' ? Number(value) : value),
  forUpdate: '',
};

/** People, their sessions, memberships and invitations, in the embedded store. */
export class SqlitePeople implements PeopleStore {
  readonly #connection: SqliteConnection;
  readonly #writer: GroupCommitWriter;

  constructor(connection: SqliteConnection, writer: GroupCommitWriter) {
    this.#connection = connection;
    this.#writer = writer;
  }

  async findPeople(table: PeopleTable, query: PeopleQuery = {}): Promise<PeopleRow[]> {
    const { text, values } = new PeopleStatement(sql, table).select(query);
    return this.#all(text, values).map((row) => peopleRowOf(table, row));
  }

  async countPeople(table: PeopleTable, where?: readonly PeopleTest[]): Promise<number> {
    const { text, values } = new PeopleStatement(sql, table).count(where);
    return this.#all(text, values)[0]?.count as number;
  }

  async changePeople(change: PeopleChange): Promise<PeopleRow[][] | 'conflict'> {
    try {
      return await this.#writer.write((connection) => makeChange(connection, change));
    } catch (error) {
      if (error instanceof PeopleConflict) return 'conflict';
      throw error;
    }
  }

  countAttempt(name: string, now: number, windowMs: number): Promise<AttemptCount> {
    return this.#writer.write((connection) => {
      connection.run('DELETE FROM attempt WHERE until <= ?', [now]);
      return connection.first(countAttempt, [name, now, now + windowMs]) as AttemptCount;
    });
  }

  #all(text: string, values: readonly PeopleValue[]): Row[] {
    const { path } = this.#connection;
    return withSqliteProblems(path, () => this.#connection.all(text, [...values]));
  }
}

/** Throws `PeopleConflict` if a step does not change what it must. */
function makeChange(
  connection: SqliteConnection,
  { writes, revokes, audit = [] }: PeopleChange,
): PeopleRow[][] {
  const changed = writes.map((write) => {
    const { text, values } = new PeopleStatement(sql, write.table).write(write);
    const rows = connection.all(text, values);
    if (!isDone(write, rows)) throw new PeopleConflict();
    return rows.map((row) => peopleRowOf(write.table, row));
  });
  if (revokes) revokeKeys(connection, revokes);
  for (const entry of audit) insertAudit(connection, entry);
  return changed;
}

function revokeKeys(connection: SqliteConnection, revocation: KeyRevocation): void {
  const { at, actor } = revocation;
  const { text, values } = selectRevoked(sql, revocation);
  for (const before of connection.all(text, values).map(keyOfRow)) {
    const after = { ...before, revokedAt: at };
    updateKey(connection, after);
    insertAudit(connection, auditOfKey(at, { actor, action: 'key-revoke', before, after }));
  }
}

const countAttempt = countAttemptSql(sql.place);

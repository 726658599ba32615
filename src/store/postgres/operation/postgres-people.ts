import type {
  AttemptCount,
  KeyRevocation,
  PeopleChange,
  PeopleQuery,
  PeopleRow,
  PeopleStore,
  PeopleTest,
} from '../../../customers/people/people-store.ts';
import type { PeopleTable } from '../../../customers/people/people-tables.ts';
import { auditOfKey } from '../../../money/accounts/audit-of-key.ts';
import { keyOfRow } from '../../key-rows.ts';
import {
  countAttemptSql,
  isDone,
  PeopleConflict,
  type PeopleSql,
  PeopleStatement,
  peopleRowOf,
  selectRevoked,
} from '../../people-statement.ts';
import { PostgresAccounts } from '../accounts/postgres-accounts.ts';
import type { Database, Queries } from '../database.ts';
import { lookups } from '../lookups.ts';
import { SqlStatement } from '../statement.ts';

const sql: PeopleSql = {
  place: (number) => `$${number}`,
  encode: (value) => value,
  forUpdate: ' FOR UPDATE',
};

/** People, their sessions, memberships and invitations, for all nodes. */
export class PostgresPeople implements PeopleStore {
  readonly #database: Pick<Database, keyof Queries | 'transaction'>;
  readonly #lookups: Pick<Queries, 'first' | 'all'>;

  constructor(database: Pick<Database, keyof Queries | 'transaction'>) {
    this.#database = database;
    this.#lookups = lookups(database);
  }

  async findPeople(table: PeopleTable, query: PeopleQuery = {}): Promise<PeopleRow[]> {
    const { text, values } = new PeopleStatement(sql, table).select(query);
    return (await this.#lookups.all(text, values)).map((row) => peopleRowOf(table, row));
  }

  async countPeople(table: PeopleTable, where?: readonly PeopleTest[]): Promise<number> {
    const { text, values } = new PeopleStatement(sql, table).count(where);
    return Number((await this.#lookups.first(text, values))?.count ?? 0);
  }

  async changePeople(change: PeopleChange): Promise<PeopleRow[][] | 'conflict'> {
    try {
      return await this.#database.transaction((queries) => makeChange(queries, change));
    } catch (error) {
      if (error instanceof PeopleConflict) return 'conflict';
      throw error;
    }
  }

  async countAttempt(name: string, now: number, windowMs: number): Promise<AttemptCount> {
    await this.#database.run('DELETE FROM attempt WHERE until <= $1', [now]);
    const row = await this.#database.first(countAttempt, [name, now, now + windowMs]);
    return { count: Number(row?.count), until: Number(row?.until) };
  }
}

async function makeChange(
  queries: Queries,
  { writes, revokes, audit = [], lock }: PeopleChange,
): Promise<PeopleRow[][]> {
  if (lock !== undefined) await queries.all('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lock]);
  const changed: PeopleRow[][] = [];
  for (const write of writes) {
    const { text, values } = new PeopleStatement(sql, write.table).write(write);
    const rows = await queries.all(text, values);
    if (!isDone(write, rows)) throw new PeopleConflict();
    changed.push(rows.map((row) => peopleRowOf(write.table, row)));
  }
  if (revokes) await revokeKeys(queries, revokes);
  for (const entry of audit) {
    const statement = new SqlStatement();
    await queries.all(`SELECT ${statement.audit(entry)}`, statement.values);
  }
  return changed;
}

/** All keys are locked before the first entry of the audit log, which locks too. */
async function revokeKeys(queries: Queries, revocation: KeyRevocation): Promise<void> {
  const { at, actor } = revocation;
  const { text, values } = selectRevoked(sql, revocation);
  const accounts = new PostgresAccounts(queries);
  for (const before of (await queries.all(text, values)).map(keyOfRow)) {
    const after = { ...before, revokedAt: at };
    await accounts.saveKey(after, auditOfKey(at, { actor, action: 'key-revoke', before, after }));
  }
}

const countAttempt = countAttemptSql(sql.place);

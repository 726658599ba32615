import type {
  AttemptCount,
  PeopleChange,
  PeopleQuery,
  PeopleRow,
  PeopleStore,
  PeopleTest,
} from '../customers/people/people-store.ts';
import type { PeopleTable, RowOf } from '../customers/people/people-tables.ts';
import type { StatementSteps } from './common-queries.ts';
import { isWriteDone } from './is-write-done.ts';
import { peopleRowOf } from './people-row-of.ts';
import { countPeople, selectPeople, writePeople } from './people-statement.ts';
import type { RecordQueries } from './record-queries.ts';
import { revokeKeys } from './revoke-keys.ts';
import type { SqlForms } from './sql-forms.ts';

/** People, their sessions, memberships and invitations, in both kinds of databases. */
export class PeopleRecords implements PeopleStore {
  readonly #queries: RecordQueries;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
  }

  async findPeople<Table extends PeopleTable>(
    table: Table,
    query: PeopleQuery = {},
  ): Promise<RowOf<Table>[]> {
    const { text, values } = selectPeople(this.#queries.forms, table, query);
    return (await this.#queries.all(text, values)).map((row) => peopleRowOf(table, row));
  }

  async countPeople(table: PeopleTable, where?: readonly PeopleTest[]): Promise<number> {
    const { text, values } = countPeople(this.#queries.forms, table, where);
    return Number((await this.#queries.all(text, values))[0]?.count ?? 0);
  }

  async changePeople(change: PeopleChange): Promise<PeopleRow[][] | 'conflict'> {
    try {
      return await this.#queries.transaction(() => makeChange(this.#queries.forms, change));
    } catch (error) {
      if (error instanceof PeopleConflict) return 'conflict';
      throw error;
    }
  }

  countAttempt(name: string, now: number, windowMs: number): Promise<AttemptCount> {
    return this.#queries.transaction(() => countAttempt(this.#queries.forms, name, now, now + windowMs));
  }
}

/** Ends the transaction of a change whose step did not change what it must. */
class PeopleConflict extends Error {}

function* makeChange(
  forms: SqlForms,
  { writes, revokes, audit = [], lock }: PeopleChange,
): StatementSteps<PeopleRow[][]> {
  if (lock !== undefined) yield { text: forms.takeLock, values: [lock] };
  const changed: PeopleRow[][] = [];
  for (const write of writes) {
    const rows = yield writePeople(forms, write);
    if (!isWriteDone(write, rows)) throw new PeopleConflict();
    changed.push(rows.map((row) => peopleRowOf(write.table, row)));
  }
  const revoked = revokes ? yield* revokeKeys(forms, revokes) : [];
  for (const entry of [...revoked, ...audit]) yield* forms.audit.record(entry);
  return changed;
}

/** A window that ends later than two whole windows from now was begun before the clock was set back. */
const isOverSql = '(attempt.until <= $2 OR attempt.until > 2 * $3 - $2)';

const raiseSql = `
  INSERT INTO attempt (name, count, until) VALUES ($1, 1, $3)
  ON CONFLICT (name) DO UPDATE SET
    count = CASE WHEN ${isOverSql} THEN 1 ELSE attempt.count + 1 END,
    until = CASE WHEN ${isOverSql} THEN excluded.until ELSE attempt.until END
  RETURNING count, until`;

/** The old rows are removed last, so that two processes do not wait for each other. */
function* countAttempt(
  forms: SqlForms,
  name: string,
  now: number,
  endOfWindow: number,
): StatementSteps<AttemptCount> {
  const [row] = yield { text: raiseSql, values: [name, now, endOfWindow] };
  const old = `SELECT name FROM attempt WHERE until <= $1 ${forms.skipLocked}`;
  yield { text: `DELETE FROM attempt WHERE name IN (${old})`, values: [now] };
  return { count: Number(row?.count), until: Number(row?.until) };
}

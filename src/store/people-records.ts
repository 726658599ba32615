import type {
  AttemptCount,
  KeyRevocation,
  PeopleChange,
  PeopleQuery,
  PeopleRow,
  PeopleStore,
  PeopleTest,
} from '../customers/people/people-store.ts';
import type { PeopleTable, RowOf } from '../customers/people/people-tables.ts';
import type { AuditEntry } from '../money/accounts/audit.ts';
import { auditOfKey } from '../money/accounts/audit-of-key.ts';
import type { StatementSteps } from './common-queries.ts';
import { keyOfRow } from './key-rows.ts';
import { isDone, PeopleStatement, peopleRowOf, selectRevoked } from './people-statement.ts';
import type { RecordQueries } from './record-queries.ts';
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
    const { text, values } = new PeopleStatement(this.#queries.forms, table).select(query);
    return (await this.#queries.all(text, values)).map((row) => peopleRowOf(table, row));
  }

  async countPeople(table: PeopleTable, where?: readonly PeopleTest[]): Promise<number> {
    const { text, values } = new PeopleStatement(this.#queries.forms, table).count(where);
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
    const rows = yield new PeopleStatement(forms, write.table).write(write);
    if (!isDone(write, rows)) throw new PeopleConflict();
    changed.push(rows.map((row) => peopleRowOf(write.table, row)));
  }
  const revoked = revokes ? yield* revokeKeys(forms, revokes) : [];
  for (const entry of [...revoked, ...audit]) yield* forms.audit.record(entry);
  return changed;
}

/** Returns the entries for the audit log, whose lock comes after those of all keys. */
function* revokeKeys(forms: SqlForms, revocation: KeyRevocation): StatementSteps<AuditEntry[]> {
  const { at, actor } = revocation;
  const keys = (yield selectRevoked(forms, revocation)).map(keyOfRow);
  for (const { id } of keys) {
    yield { text: revokeSql, values: [id, at] };
    yield { text: forms.announceKey, values: [id] };
  }
  return keys.map((before) =>
    auditOfKey(at, { actor, action: 'key-revoke', before, after: { ...before, revokedAt: at } }),
  );
}

const revokeSql = 'UPDATE api_key SET revoked_at = $2, version = version + 1 WHERE id = $1';

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

const raiseSql = `
  INSERT INTO attempt (name, count, until) VALUES ($1, 1, $3)
  ON CONFLICT (name) DO UPDATE SET
    count = CASE WHEN attempt.until <= $2 THEN 1 ELSE attempt.count + 1 END,
    until = CASE WHEN attempt.until <= $2 THEN excluded.until ELSE attempt.until END
  RETURNING count, until`;

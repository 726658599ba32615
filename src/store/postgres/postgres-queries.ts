import type { AuditEntry } from '../../money/accounts/audit.ts';
import type { CommonRow, CommonValue, StatementSteps } from '../common-queries.ts';
import type { ChangedRecord, RecordQueries, WriteStatement } from '../record-queries.ts';
import { SqlStatement } from '../sql-statement.ts';
import type { Database } from './database.ts';
import { lookups } from './lookups.ts';
import { auditCall, postgresForms } from './postgres-forms.ts';
import type { Queries } from './queries.ts';

/** A database, or an open transaction. */
type Connection = Queries & { transaction?: Database['transaction'] };

/** Statements outside a transaction, or on the connection of one that is open. */
export class PostgresQueries implements RecordQueries {
  readonly forms = postgresForms;
  readonly #queries: Connection;
  readonly #lookups: Pick<Queries, 'all'>;

  constructor(queries: Connection) {
    this.#queries = queries;
    this.#lookups = lookups(queries);
  }

  all(text: string, values?: readonly CommonValue[]): Promise<CommonRow[]> {
    return this.#lookups.all(text, values);
  }

  run(text: string, values: readonly CommonValue[]): Promise<number> {
    return this.#queries.run(text, values);
  }

  /**
   * A change, its audit entry and its notice are one statement, so the lock of the audit log is held for no
   * further round trip.
   */
  async change({ kind, audit }: ChangedRecord, ...statements: readonly WriteStatement[]): Promise<boolean> {
    const statement = new SqlStatement();
    const steps = statements.map((write, index) => `step_${index + 1} AS (${write(statement)})`);
    const rows = await this.#queries.all(
      `WITH ${steps.join(', ')}
       SELECT announce('${kind}', id)${audit ? `, ${auditCall(statement, audit)}` : ''} FROM step_${steps.length}`,
      statement.values,
    );
    return rows.length > 0;
  }

  async record(entry: AuditEntry): Promise<void> {
    const statement = new SqlStatement();
    await this.#queries.all(`SELECT ${auditCall(statement, entry)}`, statement.values);
  }

  transaction<T>(begin: () => StatementSteps<T>): Promise<T> {
    const run = (queries: Queries) => runSteps(queries, begin());
    return this.#queries.transaction ? this.#queries.transaction(run) : run(this.#queries);
  }
}

async function runSteps<T>(queries: Queries, steps: StatementSteps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    const sent = [step.value].flat().map(({ text, values }) => queries.all(text, values));
    step = steps.next((await Promise.all(sent)).at(-1) ?? []);
  }
  return step.value;
}

import type { AccountStore, Page, PageRequest } from '../money/accounts/account-store.ts';
import type { AuditEntry, AuditFilter, AuditRecord } from '../money/accounts/audit.ts';
import type { AuditSweep } from '../money/accounts/audit-sweep.ts';
import { entryOfEvent, type RepeatedEvent } from '../money/accounts/repeated-event.ts';
import { auditSequenceOf } from './audit-id.ts';
import { recordOfRow } from './audit-rows.ts';
import type { StatementSteps } from './common-queries.ts';
import { pageOf } from './page-of.ts';
import type { RecordQueries } from './record-queries.ts';
import type { AuditForms } from './sql-forms.ts';
import { SqlStatement } from './sql-statement.ts';

type Port = Pick<AccountStore, 'findAudit' | 'listAudit' | 'recordAudit' | 'recordRepeated'> & AuditSweep;

/** The audit log in both kinds of databases. */
export class AuditRecords implements Port {
  readonly #queries: RecordQueries;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
  }

  async findAudit(id: string): Promise<AuditRecord | undefined> {
    const [row] = await this.#queries.all('SELECT * FROM audit WHERE sequence = $1', [auditSequenceOf(id)]);
    return row && recordOfRow(row);
  }

  /** The text has only the conditions that are asked for, so that the planner can use their indexes. */
  async listAudit({ limit, after, ...filter }: PageRequest & AuditFilter): Promise<Page<AuditRecord>> {
    const statement = new SqlStatement();
    const { since, until } = filter;
    const conditions = this.#queries.forms.audit.range({
      before: statement.bind(after === undefined ? Number.MAX_SAFE_INTEGER : auditSequenceOf(after)),
      ...(since !== undefined && { since: statement.bind(since) }),
      ...(until !== undefined && { until: statement.bind(until) }),
    });
    for (const column of ['actor', 'action', 'target'] as const)
      if (filter[column] !== undefined) conditions.push(`${column} = ${statement.bind(filter[column])}`);
    const rows = await this.#queries.all(
      `SELECT * FROM audit WHERE ${conditions.join(' AND ')}
       ORDER BY sequence DESC LIMIT ${statement.bind(limit + 1)}`,
      statement.values,
    );
    return pageOf(rows.map(recordOfRow), limit);
  }

  recordAudit(entry: AuditEntry): Promise<void> {
    return this.#queries.record(entry);
  }

  /** Processes that record an event at the same time can make an entry each. */
  recordRepeated(event: RepeatedEvent): Promise<void> {
    return this.#queries.transaction(() => recordRepeated(this.#queries.forms.audit, event));
  }

  /** Postgres can run a query with a limit several times if it stands inside the condition. */
  sweepAudit({ recordedBefore, limit }: { recordedBefore: number; limit: number }): Promise<number> {
    return this.#queries.run(
      `WITH old AS MATERIALIZED (
         SELECT sequence FROM audit WHERE at < $1 ORDER BY at LIMIT $2 ${this.#queries.forms.skipLocked}
       )
       DELETE FROM audit WHERE sequence IN (SELECT sequence FROM old)`,
      [recordedBefore, limit],
    );
  }
}

function* recordRepeated(forms: AuditForms, event: RepeatedEvent): StatementSteps<void> {
  const raised = yield forms.raise(event);
  if (raised.length === 0) yield* forms.record(entryOfEvent(event));
}

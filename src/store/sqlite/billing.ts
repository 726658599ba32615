import type { BillingKind, BillingRecord } from '../../customers/billing/billing-record.ts';
import type { BillingStore } from '../../customers/billing/billing-store.ts';
import type { SaveOutcome } from '../../money/accounts/account-store.ts';
import { billingRecordOf, billingSql, billingValues } from '../billing-sql.ts';
import type { Row, SqliteConnection } from './connection.ts';
import type { GroupCommitWriter } from './group-commit-writer.ts';
import { withSqliteProblems } from './sqlite-problem.ts';

const sql = billingSql((number) => `?${number}`);

/** Records of billing in the embedded store. */
export class SqliteBilling implements BillingStore {
  readonly #connection: SqliteConnection;
  readonly #writer: GroupCommitWriter;

  constructor(connection: SqliteConnection, writer: GroupCommitWriter) {
    this.#connection = connection;
    this.#writer = writer;
  }

  addBilling(record: BillingRecord): Promise<boolean> {
    return this.#writer.write((connection) => connection.run(sql.add, billingValues(record)) > 0);
  }

  saveBilling(record: BillingRecord): Promise<SaveOutcome> {
    return this.#writer.write((connection) =>
      connection.run(sql.save, billingValues(record)) > 0 ? 'saved' : 'conflict',
    );
  }

  async findBilling<Kind extends BillingKind>(kind: Kind, id: string) {
    return this.#all<Kind>(sql.find, [kind, id])[0];
  }

  async findBillingByReference<Kind extends BillingKind>(kind: Kind, reference: string) {
    return this.#all<Kind>(sql.findByReference, [kind, reference])[0];
  }

  async listBilling<Kind extends BillingKind>(
    kind: Kind,
    { limit, after = '' }: { limit: number; after?: string | undefined },
  ) {
    return this.#all<Kind>(sql.list, [kind, after, limit]);
  }

  async dueBilling<Kind extends BillingKind>(kind: Kind, { now, limit }: { now: number; limit: number }) {
    return this.#all<Kind>(sql.due, [kind, now, limit]);
  }

  sweepBilling(kind: BillingKind, createdBefore: number): Promise<number> {
    return this.#writer.write((connection) => connection.run(sql.sweep, [kind, createdBefore]));
  }

  #all<Kind extends BillingKind>(text: string, values: (string | number)[]): BillingRecord<Kind>[] {
    const { path } = this.#connection;
    const rows: Row[] = withSqliteProblems(path, () => this.#connection.all(text, values));
    return rows.map((row) => billingRecordOf<Kind>(row));
  }
}

import type { BillingKind, BillingRecord } from '../customers/billing/billing-record.ts';
import type { BillingStore } from '../customers/billing/billing-store.ts';
import type { SaveOutcome } from '../money/accounts/account-store.ts';
import type { CommonQueries, CommonRow, CommonValue } from './common-queries.ts';
import { json, nullableNumber, nullableText, number, text } from './row-columns.ts';

const insertRecordSql = `
  INSERT INTO billing_record (kind, id, account_id, reference, due_at, created_at, version, body)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`;
const updateRecordSql = `
  UPDATE billing_record SET account_id = $3, reference = $4, due_at = $5, created_at = $6, version = $7 + 1, body = $8
  WHERE kind = $1 AND id = $2 AND version = $7`;
const selectRecordSql = 'SELECT * FROM billing_record WHERE kind = $1 AND id = $2';
const selectByReferenceSql = 'SELECT * FROM billing_record WHERE kind = $1 AND reference = $2';
const selectRecordsSql = 'SELECT * FROM billing_record WHERE kind = $1 AND id > $2 ORDER BY id LIMIT $3';
const selectDueSql = 'SELECT * FROM billing_record WHERE kind = $1 AND due_at <= $2 ORDER BY due_at LIMIT $3';
const deleteOldRecordsSql =
  'DELETE FROM billing_record WHERE kind = $1 AND created_at < $2 AND due_at IS NULL';

/** Records of billing in both kinds of databases. */
export class BillingRecords implements BillingStore {
  readonly #queries: CommonQueries;

  constructor(queries: CommonQueries) {
    this.#queries = queries;
  }

  async addBilling(record: BillingRecord): Promise<boolean> {
    return (await this.#queries.run(insertRecordSql, valuesOf(record))) > 0;
  }

  async saveBilling(record: BillingRecord): Promise<SaveOutcome> {
    return (await this.#queries.run(updateRecordSql, valuesOf(record))) > 0 ? 'saved' : 'conflict';
  }

  async findBilling<Kind extends BillingKind>(kind: Kind, id: string) {
    return (await this.#all<Kind>(selectRecordSql, [kind, id]))[0];
  }

  async findBillingByReference<Kind extends BillingKind>(kind: Kind, reference: string) {
    return (await this.#all<Kind>(selectByReferenceSql, [kind, reference]))[0];
  }

  listBilling<Kind extends BillingKind>(
    kind: Kind,
    { limit, after = '' }: { limit: number; after?: string | undefined },
  ) {
    return this.#all<Kind>(selectRecordsSql, [kind, after, limit]);
  }

  dueBilling<Kind extends BillingKind>(kind: Kind, { now, limit }: { now: number; limit: number }) {
    return this.#all<Kind>(selectDueSql, [kind, now, limit]);
  }

  sweepBilling(kind: BillingKind, createdBefore: number): Promise<number> {
    return this.#queries.run(deleteOldRecordsSql, [kind, createdBefore]);
  }

  async #all<Kind extends BillingKind>(text: string, values: CommonValue[]): Promise<BillingRecord<Kind>[]> {
    return (await this.#queries.all(text, values)).map((row) => recordOf<Kind>(row));
  }
}

/** Returns the parameters of `insertRecordSql` and `updateRecordSql`. */
const valuesOf = (record: BillingRecord): CommonValue[] => [
  record.kind,
  record.id,
  record.accountId,
  record.reference,
  record.dueAt,
  record.createdAt,
  record.version,
  JSON.stringify(record.body),
];

const recordOf = <Kind extends BillingKind>(row: CommonRow): BillingRecord<Kind> => ({
  kind: text<Kind>(row, 'kind'),
  id: text(row, 'id'),
  accountId: nullableText(row, 'account_id'),
  reference: nullableText(row, 'reference'),
  dueAt: nullableNumber(row, 'due_at'),
  createdAt: number(row, 'created_at'),
  version: number(row, 'version'),
  body: json(row, 'body'),
});

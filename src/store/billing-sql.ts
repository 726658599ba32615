import type { BillingKind, BillingRecord } from '../customers/billing/billing-record.ts';

type Value = string | number | null;

/** The statements on records of billing, for both kinds of databases. `place` writes the place of a parameter. */
export const billingSql = (place: (number: number) => string) => {
  const p = place;
  return {
    add: `INSERT INTO billing_record (kind, id, account_id, reference, due_at, created_at, version, body)
      VALUES (${[1, 2, 3, 4, 5, 6, 7, 8].map(p).join(', ')}) ON CONFLICT DO NOTHING`,
    save: `UPDATE billing_record SET account_id = ${p(3)}, reference = ${p(4)}, due_at = ${p(5)},
      created_at = ${p(6)}, version = ${p(7)} + 1, body = ${p(8)}
      WHERE kind = ${p(1)} AND id = ${p(2)} AND version = ${p(7)}`,
    find: `SELECT * FROM billing_record WHERE kind = ${p(1)} AND id = ${p(2)}`,
    findByReference: `SELECT * FROM billing_record WHERE kind = ${p(1)} AND reference = ${p(2)}`,
    list: `SELECT * FROM billing_record WHERE kind = ${p(1)} AND id > ${p(2)} ORDER BY id LIMIT ${p(3)}`,
    due: `SELECT * FROM billing_record WHERE kind = ${p(1)} AND due_at <= ${p(2)} ORDER BY due_at LIMIT ${p(3)}`,
    sweep: `DELETE FROM billing_record WHERE kind = ${p(1)} AND created_at < ${p(2)} AND due_at IS NULL`,
  };
};

/** The parameters of `add` and `save`. */
export const billingValues = (record: BillingRecord): Value[] => [
  ...[record.kind, record.id, record.accountId, record.reference],
  ...[record.dueAt, record.createdAt, record.version, JSON.stringify(record.body)],
];

export const billingRecordOf = <Kind extends BillingKind>(
  row: Readonly<Record<string, unknown>>,
): BillingRecord<Kind> => ({
  kind: row.kind as Kind,
  id: row.id as string,
  accountId: row.account_id as string | null,
  reference: row.reference as string | null,
  dueAt: row.due_at as number | null,
  createdAt: row.created_at as number,
  version: row.version as number,
  body: JSON.parse(row.body as string),
});

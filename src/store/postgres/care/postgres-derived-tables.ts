import { type DerivedTable, usageValues } from '../../ledger/derived-table.ts';

/** Verification compares every column of these tables, and a repair rewrites them. */
export const postgresDerivedTables = [
  // Admissions and settlements create the rows that they lock.
  { name: 'account_head', key: [], values: ['number', 'sequence', 'hash'], hasZeros: true },
  { name: 'bucket', key: ['period'], values: ['granted', 'used', 'held'], hasZeros: true },
  {
    name: 'key_month',
    key: ['key_id', 'month'],
    // The row of another account can conflict, since keys are unique across accounts.
    uniqueKey: ['key_id', 'month'],
    values: ['used', 'held'],
    hasZeros: true,
    omitsZeros: true,
  },
  {
    name: 'budget_spend',
    key: ['counter', 'target', 'bin'],
    values: ['used', 'requests', 'held'],
    hasZeros: true,
    omitsZeros: true,
  },
  { name: 'usage_hour', key: ['hour', 'key_id', 'model'], values: usageValues },
  { name: 'usage_day', key: ['day', 'key_id', 'model'], values: usageValues },
  { name: 'token_day', key: [], values: ['day', 'tokens'] },
] as const satisfies readonly DerivedTable[];

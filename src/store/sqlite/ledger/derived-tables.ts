import { type DerivedTable, usageValues } from '../../ledger/derived-table.ts';

/** Verification compares every column of these tables, and a repair rewrites them. */
export const derivedTables = [
  { name: 'account_head', key: [], values: ['number', 'sequence', 'hash'] },
  // An account's first period has a row here and no entry.
  { name: 'bucket', key: ['period'], values: ['granted', 'used'], hasZeros: true },
  { name: 'usage_hour', key: ['hour', 'key_id', 'model'], values: usageValues },
  { name: 'usage_day', key: ['day', 'key_id', 'model'], values: usageValues },
  { name: 'key_excess', key: ['key_id', 'month'], values: ['microcredits'] },
  { name: 'budget_spend', key: ['counter', 'target', 'bin'], values: ['used', 'requests'] },
  { name: 'token_day', key: [], values: ['day', 'tokens'] },
] as const satisfies readonly DerivedTable[];

/** A table whose rows per account are derived from the account's entries. */
export type DerivedTable = {
  name: string;
  /** The key columns within an account, in the order of the primary key. */
  key: readonly string[];
  values: readonly string[];
  /** A row of zeros may exist without an entry. */
  hasZeros?: boolean;
};

const usage = ['requests', 'input_tokens', 'cached_input_tokens', 'output_tokens', 'microcredits'] as const;

/** Verification compares every column of these tables, and a repair rewrites them. */
export const derivedTables = [
  { name: 'account_head', key: [], values: ['number', 'sequence', 'hash'] },
  // An account's first period has a row here and no entry.
  { name: 'bucket', key: ['period'], values: ['granted', 'used'], hasZeros: true },
  { name: 'usage_hour', key: ['hour', 'key_id', 'model'], values: usage },
  { name: 'usage_day', key: ['day', 'key_id', 'model'], values: usage },
  { name: 'key_excess', key: ['key_id', 'month'], values: ['microcredits'] },
  { name: 'token_day', key: [], values: ['day', 'tokens'] },
] as const satisfies readonly DerivedTable[];

export type DerivedTableName = (typeof derivedTables)[number]['name'];

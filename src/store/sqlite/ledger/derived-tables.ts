/** A table with rows of accounts that hold nothing but what the account's entries come to. */
export type DerivedTable = {
  name: string;
  /** What tells rows of one account apart, in the order of the primary key. */
  key: readonly string[];
  values: readonly string[];
  /** A row of nothing but zeros may stand there without an entry. */
  hasZeros?: boolean;
};

const usage = ['requests', 'input_tokens', 'cached_input_tokens', 'output_tokens', 'microcredits'] as const;

/** Verification compares every column of these, and a repair writes them anew. */
export const derivedTables = [
  { name: 'account_head', key: [], values: ['number', 'sequence', 'hash'] },
  // An account's first period is opened by a row, and by no entry.
  { name: 'bucket', key: ['period'], values: ['granted', 'used'], hasZeros: true },
  { name: 'usage_hour', key: ['hour', 'key_id', 'model'], values: usage },
  { name: 'usage_day', key: ['day', 'key_id', 'model'], values: usage },
  { name: 'key_excess', key: ['key_id', 'month'], values: ['microcredits'] },
  { name: 'token_day', key: [], values: ['day', 'tokens'] },
] as const satisfies readonly DerivedTable[];

export type DerivedTableName = (typeof derivedTables)[number]['name'];
